/**
 * What placing spans in the graph of agents costs: `bun tests/features/agents/bench-ingest.ts [--spans 200000]
 * [--turns 6] [--size 200]`. It sends OTLP spans of runs of agents, and the same spans with the names of agents and
 * tools in other attributes, in turn, to projects of their own, and prints the CPU time per span of each turn (parsing, pricing, storing,
 * sealing), its median, and the share that agents add.
 *
 * `--only agents` or `--only plain` sends one of the two, for a profile: `bun --cpu-prof …`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { initLedger } from '../../../src/core/auth/index.ts';
import { eventsModule } from '../../../src/core/events/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { createRandom } from '../../helpers/random.ts';
import { makeRun, type RunSpan } from './make-run.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '200000' },
    turns: { type: 'string', default: '6' },
    size: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
});
const [spans, turns, size] = [Number(values.spans), Number(values.turns), Number(values.size)];
const VARIANTS = ['agents', 'plain'] as const;
type Variant = (typeof VARIANTS)[number];
const isWanted = (variant: Variant): boolean => values.only === undefined || values.only === variant;
const NOW = Date.UTC(2026, 5, 15, 12);
/** Runs that are in progress at once, so that their spans come mixed. */
const AT_ONCE = 200;

type Attributes = Readonly<Record<string, string | number>>;

function attributesOf(span: RunSpan, variant: Variant): Attributes {
  const { kind, name, agent, start, end } = span;
  // Without agents, the same text is in an attribute that says nothing, so that bodies are of the same size.
  const isNamed = variant === 'agents';
  const named: Attributes = { [isNamed ? 'gen_ai.agent.name' : 'app.component.name']: agent };
  if (kind === 'agent') return { 'gen_ai.operation.name': 'invoke_agent', ...named };
  if (kind === 'tool')
    return {
      'gen_ai.operation.name': 'execute_tool',
      [isNamed ? 'gen_ai.tool.name' : 'app.action_name']: name,
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
    'gen_ai.conversation.id': span.trace.slice(0, 8),
    'server.address': 'api.openai.com',
    ...named,
  };
}

const toSpan = (span: RunSpan, variant: Variant) => ({
  traceId: span.trace,
  spanId: span.span,
  ...(span.parent === null ? {} : { parentSpanId: span.parent }),
  // Names are free; without agents they tell none.
  name: span.kind === 'llm' ? `chat ${span.name}` : span.kind,
  kind: span.kind === 'llm' ? 3 : 1,
  startTimeUnixNano: `${span.start}000000`,
  endTimeUnixNano: `${span.end}000000`,
  attributes: Object.entries(attributesOf(span, variant)).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  })),
  status: span.isFailed ? { code: 2, message: 'refused' } : { code: 0 },
});

/** Bodies of some runs, as exporters send them: in the order in which spans end. */
function bodiesOf(seed: number, variant: Variant): string[] {
  const random = createRandom(seed);
  const runs = Math.ceil(spans / 10);
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'bench' } }] };
  const ordered: RunSpan[] = [];
  for (let done = 0; done < runs; done += AT_ONCE)
    ordered.push(
      ...Array.from({ length: AT_ONCE }, (_, i) => makeRun(NOW - DAY_MS / 2 + (done + i) * 20, random))
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
              spans: ordered.slice(i * size, (i + 1) * size).map((span) => toSpan(span, variant)),
            },
          ],
        },
      ],
    }),
  );
}

/** CPU microseconds per span of a fresh ledger that gets all bodies. */
async function measure(bodies: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-ingest-'));
  const env = { DATABASE_URL: join(folder, 'bench.db'), LOG_LEVEL: 'silent' };
  const app = openApp({
    config: loadConfig({ env }).values,
    mode: 'command',
    now: () => NOW,
    rateLimits: false,
  });
  const { apiKey } = await app.act(initLedger, {
    org: 'Acme',
    project: 'web',
    email: 'ada@example.com',
    password: 'correct horse battery',
  });
  await app.act(setPlan, { organization: 'Acme', plan: 'scale' });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const send = async (body: string): Promise<void> => {
    const request = new Request('http://localhost/v1/otel', { method: 'POST', headers, body });
    const reply = await app.fetch(request, { address: null });
    if (reply.status !== 202) throw new Error(await reply.text());
  };
  // The first bodies load what is needed.
  for (const body of bodies.slice(0, 20)) await send(body);
  Bun.gc(true);
  const cpu = process.cpuUsage();
  for (const body of bodies.slice(20)) await send(body);
  for (const job of eventsModule.jobs ?? []) await runJob(app.ctx, job, 'schedule');
  const { user, system } = process.cpuUsage(cpu);
  await app.close();
  rmSync(folder, { recursive: true });
  return (user + system) / ((bodies.length - 20) * size);
}

// Code that runs for the first time is compiled meanwhile.
for (const variant of VARIANTS.filter(isWanted)) await measure(bodiesOf(turns, variant));
const found: Record<Variant, number[]> = { agents: [], plain: [] };
for (let turn = 0; turn < turns; turn++) {
  // Each goes first in half of the turns.
  const order = turn % 2 === 0 ? VARIANTS : VARIANTS.toReversed();
  for (const variant of order.filter(isWanted)) {
    const each = await measure(bodiesOf(turn, variant));
    found[variant].push(each);
    console.log(`turn ${turn}, ${variant}: ${each.toFixed(1)} µs of CPU per span`);
  }
}
const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN;
const [withAgents, plain] = [median(found.agents), median(found.plain)];
if (values.only === undefined)
  console.log(
    `median: ${withAgents.toFixed(1)} µs with agents, ${plain.toFixed(1)} µs without: ${((withAgents / plain - 1) * 100).toFixed(1)} % more`,
  );
