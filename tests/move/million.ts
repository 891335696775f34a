// Moves many events to ClickHouse while a server takes new ones, kills the move three times, and compares both places:
// `bun run bench:move`. MOVE_EVENTS and MOVE_BATCHES_PER_MINUTE (of 100 events) say how many.
import { copyFileSync } from 'node:fs';
import { makeBatches, SPREAD_MS } from '../../cli/bench/events.ts';
import { startTarget } from '../../cli/bench/target.ts';
import { databaseOf } from '../clickhouse/start.ts';
import { openFolder } from '../helpers/folder.ts';
import { cliCommand, runCommand } from '../helpers/server.ts';

const EVENTS = Number(process.env.MOVE_EVENTS ?? 1_000_000);
const RATE = Number(process.env.MOVE_BATCHES_PER_MINUTE ?? 120);
const KILLS = 3;
const BATCH = 100;

/** Whole days around all events. */
const DAY_MS = 86_400_000;
const START = new Date(Date.now() - 32 * DAY_MS).toISOString().slice(0, 10);
const END = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);

const folder = openFolder();
const path = folder.path('ledger.db');
const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const number = (value: number): string => value.toLocaleString('en-US');

const { port, database } = await databaseOf(folder.path('.'));
const to = `clickhouse://writer@127.0.0.1:${port}/${database}`;
const target = await startTarget(cliCommand, path);
say(`Storing ${number(EVENTS)} events`);
await fill();
say('Stored. Moving, while events arrive');
const ingest = startIngest();

/** Sends a batch until it is acknowledged. */
async function send(body: Uint8Array<ArrayBuffer>): Promise<void> {
  for (;;) {
    try {
      const headers = { 'x-api-key': target.apiKey, 'content-encoding': 'gzip' };
      const { status } = await fetch(`${target.url}/v1/ingest`, { method: 'POST', headers, body });
      if (status === 202) return;
      if (status !== 503) say(`A batch was answered ${status}`);
    } catch {
      // The connection was closed: whether the batch arrived is not known, so it is sent again.
    }
    await Bun.sleep(500);
  }
}

/** Stores events of the last thirty days. */
async function fill(): Promise<void> {
  const to = Date.now();
  const from = to - 30 * DAY_MS;
  const at = (done: number): number => from + ((to - from) * done) / EVENTS;
  for (let done = 0; done < EVENTS; done += 100_000) {
    const events = Math.min(100_000, EVENTS - done);
    const bodies = makeBatches(events / BATCH, BATCH, {
      from: at(done),
      to: at(done + events),
      spreadMs: SPREAD_MS,
    });
    const work = async (): Promise<void> => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await send(body);
    };
    await Promise.all(Array.from({ length: 8 }, work));
  }
}

/** Sends batches at a rate until stopped, each until it is acknowledged. Tells how many events were. */
function startIngest(): { stop(): Promise<number> } {
  let isOver = false;
  let acknowledged = 0;
  const sending = (async () => {
    while (!isOver) {
      const [body] = makeBatches(1, BATCH, { from: Date.now() - 1_000, to: Date.now(), spreadMs: SPREAD_MS });
      await Promise.all([body === undefined ? null : send(body), Bun.sleep(60_000 / RATE)]);
      acknowledged += BATCH;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sending;
      return acknowledged;
    },
  };
}

type Run = { readonly code: number; readonly stdout: string; readonly copied: number };

/** Runs the move. It is killed when it has copied so many events; `onCaughtUp` runs when it says so. */
async function move({
  killAt,
  onCaughtUp,
}: {
  killAt?: number;
  onCaughtUp?: () => Promise<void>;
}): Promise<Run> {
  const child = Bun.spawn([...cliCommand, 'move', '--from', `file:${path}`, '--to', to, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = new Response(child.stdout).text();
  let text = '';
  let copied = 0;
  for await (const chunk of child.stderr) {
    text += new TextDecoder().decode(chunk);
    copied = Number((text.match(/Copied ([\d,]+) of/g)?.at(-1) ?? '0').replace(/\D/g, ''));
    if (killAt !== undefined && (copied >= killAt || text.includes('Caught up'))) child.kill('SIGKILL');
    else if (text.includes('Caught up')) {
      await onCaughtUp?.();
      onCaughtUp = undefined;
    }
  }
  const code = await child.exited;
  if (code !== 0 && code !== 137) console.error(text);
  return { code, stdout: await stdout, copied };
}

const began = performance.now();
for (let kill = 1; kill <= KILLS; kill++) {
  const { code, copied } = await move({ killAt: EVENTS / 6 });
  say(`Killed ${kill} (exit ${code}) after ${number(copied)} events`);
}
let fed = 0;
let stopped = 0;
const last = await move({
  async onCaughtUp() {
    say('Caught up; stopping the server');
    fed = await ingest.stop();
    await target.stop();
    stopped = performance.now();
  },
});
const ended = performance.now();
if (last.code !== 0) throw new Error(`the move ended with ${last.code}`);
say(`Done: ${last.stdout.replaceAll(/\s+/g, ' ')}`);
say(
  `All runs ${Math.round((ended - began) / 1_000)} s, of these ${Math.round((ended - stopped) / 1_000)} s without a server`,
);
say(`Meanwhile ${number(fed)} events were acknowledged`);

// What the server tells of a copy of the file, and of ClickHouse.
const copy = folder.path('copy.db');
copyFileSync(path, copy);
const words = ['report', 'costs', '--start', START, '--end', END, '--by', 'model', '--json'];
const report = async (db: string, env: Record<string, string>): Promise<string> => {
  const { code, stdout, stderr } = await runCommand([...words, '--db', db], '', undefined, env);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};
const [before, after] = [await report(copy, {}), await report(path, { EVENTS_URL: to })];
const { events } = JSON.parse(last.stdout) as { events: number };
const acknowledged = EVENTS + fed;
say(
  `${number(acknowledged)} acknowledged, ${number(events)} moved; reports ${before === after ? 'equal' : 'DIFFER'}`,
);
folder.remove();
process.exit(before === after && events === acknowledged ? 0 : 1);
