/**
 * What the graph of agents and tools costs while spans are stored: `bun tests/features/agents/bench-ingest.ts
 * [--load clients|runs] [--spans 200000] [--turns 6] [--size 512] [--connections 4]`. It sends the same OTLP spans to a
 * server that places them in the graph and to one that does not (`bench-without-links.ts`), each on a file of its own, some
 * requests to the one and some to the other in turn, so that a change of the machine meets both. Each waits until the other
 * rests, so that what a server does after it answered is its own. `clients` are the programs of `recordings/`, run again
 * and again; spans of `runs` carry little more than what the graph needs, so that it is as dear as it can be. It prints the
 * rate of spans and the CPU time per span that each server and its readers took, sealing included, what the graph costs
 * of both, and the medians of the turns. As many spans before them warm each server up.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { createRandom } from '../../helpers/random.ts';
import { initLedger } from '../../helpers/server.ts';
import { bodiesOfClients } from './client-runs.ts';
import { makeRun, type RunSpan } from './make-run.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '200000' },
    turns: { type: 'string', default: '6' },
    size: { type: 'string', default: '512' },
    connections: { type: 'string', default: '4' },
    load: { type: 'string', default: 'clients' },
  },
});
const [spans, turns, size] = [Number(values.spans), Number(values.turns), Number(values.size)];
const VARIANTS = ['with', 'without'] as const;
type Variant = (typeof VARIANTS)[number];
const SINCE = Date.now() - 6 * HOUR_MS;
const ROOT = join(import.meta.dir, '../../..');
process.env.DEFAULT_PLAN = 'scale';
/** Spans before those that are measured, as their share: a server compiles for seconds what it then runs for weeks. */
const WARM_UP = 1;
/** Requests to one server before it is the other's turn. */
const PART = 40;
/** A server rests when it took no more CPU for so long than a tick of the kernel's count, in microseconds. */
const RESTS_MS = 200;
const TICK = 10_000;
/** Runs that are in progress at once, so that their spans come mixed. */
const AT_ONCE = 200;

type Attributes = Readonly<Record<string, string | number>>;

function attributesOf({ kind, name, agent, trace, start, end }: RunSpan): Attributes {
  const named = { 'gen_ai.agent.name': agent };
  if (kind === 'agent') return { 'gen_ai.operation.name': 'invoke_agent', ...named };
  if (kind === 'tool')
    return {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      ...named,
    };
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': name,
    'gen_ai.response.model': name,
    'gen_ai.usage.input_tokens': 200 + ((start * 7) % 4_000),
    'gen_ai.usage.output_tokens': 20 + (end % 700),
    'gen_ai.conversation.id': trace.slice(0, 8),
    'server.address': 'api.openai.com',
    ...named,
  };
}

const toSpan = (span: RunSpan) => ({
  traceId: span.trace,
  spanId: span.span,
  ...(span.parent === null ? {} : { parentSpanId: span.parent }),
  name: `${span.kind} ${span.name}`,
  kind: span.kind === 'llm' ? 3 : 1,
  startTimeUnixNano: `${span.start}000000`,
  endTimeUnixNano: `${span.end}000000`,
  attributes: Object.entries(attributesOf(span)).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  })),
  status: span.isFailed ? { code: 2, message: 'refused' } : { code: 0 },
});

/** Bodies of some made-up runs, as exporters send them: in the order in which spans end. */
function bodiesOf(seed: number): string[] {
  const random = createRandom(seed);
  const runs = Math.ceil((spans * (1 + WARM_UP)) / 10);
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'bench' } }] };
  const ordered: RunSpan[] = [];
  for (let done = 0; done < runs; done += AT_ONCE)
    ordered.push(
      ...Array.from({ length: AT_ONCE }, (_, i) => makeRun(SINCE + (done + i) * 20, random))
        .flat()
        .sort((a, b) => a.end - b.end),
    );
  return Array.from({ length: Math.ceil(ordered.length / size) }, (_, i) =>
    JSON.stringify({
      resourceSpans: [
        {
          resource,
          scopeSpans: [
            {
              scope: { name: 'bench' },
              spans: ordered.slice(i * size, (i + 1) * size).map((span) => toSpan(span)),
            },
          ],
        },
      ],
    }),
  );
}

const makeBodies = (seed: number): string[] =>
  values.load === 'runs'
    ? bodiesOf(seed)
    : bodiesOfClients(spans * (1 + WARM_UP), size, SINCE, createRandom(seed));

/** CPU microseconds of a process and those that it started. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const own = (Number(fields[11]) + Number(fields[12])) * 1e4;
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => childrenOf(`/proc/${pid}/task/${thread}/children`))
    .reduce((sum, child) => sum + cpuOf(child), own);
}

/** The processes that a thread started; none for one that has just ended. */
function childrenOf(path: string): number[] {
  try {
    return readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Microseconds on the clock and of CPU. */
type Taken = { readonly wall: number; readonly cpu: number };
const NOTHING: Taken = { wall: 0, cpu: 0 };

type Server = {
  /** Sends bodies; what it took until the server rests again, sealing included. */
  work(bodies: readonly string[]): Promise<Taken>;
  stop(): Promise<void>;
};

/** A server on a fresh file. */
async function start(variant: Variant): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-ingest-'));
  const path = join(folder, 'bench.db');
  const { apiKey } = await initLedger(path, 'ada@example.com', 'correct horse battery');
  const preload = variant === 'with' ? [] : ['--preload', join(import.meta.dir, 'bench-without-links.ts')];
  const serve = ['cli/main.ts', 'serve', '--db', path, '--port', '0', '--json'];
  const server = Bun.spawn([process.execPath, ...preload, ...serve], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let ready = '';
  for await (const chunk of server.stdout) {
    ready += new TextDecoder().decode(chunk);
    if (ready.includes('\n')) break;
  }
  const { url } = JSON.parse(ready) as { url: string };
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  async function send(bodies: readonly string[]): Promise<void> {
    let next = 0;
    const connection = async (): Promise<void> => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
        for (;;) {
          const reply = await fetch(`${url}/v1/otel`, { method: 'POST', headers, body });
          if (reply.status === 202) break;
          if (reply.status !== 503 && reply.status !== 429) throw new Error(await reply.text());
          await Bun.sleep(1_000 * Number(reply.headers.get('retry-after') ?? 1));
        }
    };
    await Promise.all(Array.from({ length: Number(values.connections) }, connection));
  }
  return {
    async work(bodies) {
      const [before, since] = [cpuOf(server.pid), performance.now()];
      await send(bodies);
      let [cpu, until] = [cpuOf(server.pid), performance.now()];
      while (performance.now() - until < RESTS_MS) {
        await Bun.sleep(20);
        const now = cpuOf(server.pid);
        if (now - cpu > TICK) [cpu, until] = [now, performance.now()];
      }
      return { wall: (until - since) * 1_000, cpu: cpu - before };
    },
    async stop() {
      server.kill('SIGTERM');
      await server.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function measure(
  bodies: readonly string[],
  order: readonly Variant[],
): Promise<Record<Variant, Taken>> {
  const servers = { with: await start('with'), without: await start('without') };
  const first = Math.ceil((bodies.length * WARM_UP) / (1 + WARM_UP));
  for (const variant of order) await servers[variant].work(bodies.slice(0, first));
  const taken: Record<Variant, Taken> = { with: NOTHING, without: NOTHING };
  for (let from = first; from < bodies.length; from += PART)
    for (const variant of (from - first) % (2 * PART) === 0 ? order : order.toReversed()) {
      const { wall, cpu } = await servers[variant].work(bodies.slice(from, from + PART));
      taken[variant] = { wall: taken[variant].wall + wall, cpu: taken[variant].cpu + cpu };
    }
  for (const variant of VARIANTS) await servers[variant].stop();
  const sent = (bodies.length - first) * size;
  const each = ({ wall, cpu }: Taken): Taken => ({ wall: wall / sent, cpu: cpu / sent });
  return { with: each(taken.with), without: each(taken.without) };
}

const found: Record<Variant, Taken>[] = [];
const rateOf = ({ wall }: Taken): string => `${Math.round(1e6 / wall).toLocaleString('en-US')}/s`;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const lostRate = (of: Record<Variant, Taken>): number => 1 - of.without.wall / of.with.wall;
const addedCpu = (of: Record<Variant, Taken>): number => of.with.cpu / of.without.cpu - 1;
function median(of: readonly number[]): number {
  const sorted = of.toSorted((a, b) => a - b);
  const at = (place: number): number => sorted[Math.floor(place)] ?? Number.NaN;
  return (at((of.length - 1) / 2) + at(of.length / 2)) / 2;
}
for (let turn = 0; turn < turns; turn++) {
  const one = await measure(makeBodies(turn), turn % 2 === 0 ? VARIANTS : VARIANTS.toReversed());
  found.push(one);
  console.log(
    `turn ${turn}: ${rateOf(one.with)} with the graph, ${rateOf(one.without)} without, ${percent(lostRate(one))} less; ${one.with.cpu.toFixed(1)} and ${one.without.cpu.toFixed(1)} µs of CPU per span, ${percent(addedCpu(one))} more`,
  );
}
console.log(
  `medians: ${percent(median(found.map(lostRate)))} less rate, ${percent(median(found.map(addedCpu)))} more CPU`,
);
