// `bun tests/fairness/bench.ts [NAME…]`: what another tenant's one-event ingest and `/healthz` take while each attack
// runs. It needs a quiet machine with two cores; the tests of this folder assert the same without a clock.
import { usageOf } from '../../cli/bench/processes.ts';
import { openFolder } from '../helpers/folder.ts';
import { ATTACKS } from './attacks.ts';
import { fillProject } from './fill.ts';
import { openWorld, type World } from './world.ts';

const SECONDS = Number(process.env.SECONDS ?? 10);
const LEAD_MS = 2_000;
const EVERY_MS = 25;

/** Sends a request every `EVERY_MS` for `SECONDS`, whether or not the previous ones are answered. */
async function probe(
  request: () => Promise<Response>,
): Promise<{ ms: number[]; failed: Record<string, number> }> {
  const ms: number[] = [];
  const failed: Record<string, number> = {};
  const fail = (how: string | number): void => {
    failed[how] = (failed[how] ?? 0) + 1;
  };
  const pending: Promise<void>[] = [];
  const end = performance.now() + SECONDS * 1_000;
  for (let due = performance.now(); due < end; due += EVERY_MS) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    const one = request().then(
      async (response) => {
        await response.arrayBuffer();
        ms.push(performance.now() - due);
        if (!response.ok) fail(response.status);
      },
      (error: Error) => fail(error.name),
    );
    pending.push(one);
  }
  await Promise.all(pending);
  return { ms: ms.sort((a, b) => a - b), failed };
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);

async function measure(name: string, world: World): Promise<object> {
  const attack = Bun.spawn([process.execPath, `${import.meta.dir}/attacks.ts`, name, JSON.stringify(world)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  await Bun.sleep(LEAD_MS);
  let rss = 0;
  const watch = setInterval(() => {
    rss = Math.max(rss, usageOf(world.pid).rssBytes);
  }, 200);
  const event = JSON.stringify({
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 1200,
    output_tokens: 48,
  });
  const ingest = { method: 'POST', headers: { 'x-api-key': world.apiKey }, body: event };
  const [stored, alive] = await Promise.all([
    probe(() => fetch(`${world.url}/v1/ingest`, ingest)),
    probe(() => fetch(`${world.url}/healthz`)),
  ]);
  clearInterval(watch);
  attack.kill('SIGTERM');
  const answered = JSON.parse(await new Response(attack.stdout).text()) as object;
  return {
    attack: name,
    'ingest p50': at(stored.ms, 0.5),
    'ingest p99': at(stored.ms, 0.99),
    'ingest failed': stored.failed,
    'healthz p50': at(alive.ms, 0.5),
    'healthz p99': at(alive.ms, 0.99),
    'healthz max': at(alive.ms, 1),
    'RSS MB': Math.round(rss / 1_048_576),
    answered: JSON.stringify(answered).slice(1, -1),
  };
}

const wanted = process.argv.slice(2);
const names = Object.keys(ATTACKS).filter((name) => wanted.length === 0 || wanted.includes(name));
for (const name of names) {
  // A server of its own for each, so that limits and queues of one do not help or burden the next.
  const folder = openFolder();
  const world = await openWorld(folder.path('.'));
  await fillProject(world);
  console.log(JSON.stringify(await measure(name, world)));
  await world.stop();
  folder.remove();
}
