/**
 * What agents' pages cost: `bun tests/features/agents/bench-graph.ts [--spans 1000000] [--file PATH] [--rounds 5]`.
 * It fills a project with runs of agents over 30 days, ten spans each, and prints the CPU time, the time and the memory
 * of the graph, the list of agents, an agent and the figures of runs, all of 30 days.
 *
 * With `--file` a file is filled if it does not exist, which takes some minutes for ten million spans, and kept.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import { eventsOf, runMetrics, spanEventId } from '../../../src/core/events/index.ts';
import { type EventsDocument, metricsDocumentSchema } from '../../../src/core/events/query/contract.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { createOrganization, setPlan } from '../../../src/core/orgs/index.ts';
import { createProject, listProjects } from '../../../src/core/projects/index.ts';
import { ofProject, operatorScope } from '../../../src/core/tenancy/index.ts';
import { agentsQuerySchema } from '../../../src/features/agents/contract.ts';
import { listAgents, openFigures, readAgent, readGraph } from '../../../src/features/agents/index.ts';
import { modules } from '../../../src/features.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { makeEvent } from '../../event-store/support/make-event.ts';
import { createRandom } from '../../helpers/random.ts';
import { makeRun, type RunSpan } from './make-run.ts';

const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    file: { type: 'string' },
  },
});
const SPANS_PER_RUN = 10;
const BATCH = 500;
/** Runs whose spans are sent in the order of their ends. */
const PART = 10_000;
const DAYS = 30;
const END = Date.UTC(2026, 5, 15, 12);

const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'));
const path = values.file ?? join(folder, 'bench.db');
const isFilled = existsSync(path);
const config = loadConfig({ env: { DATABASE_URL: path, LOG_LEVEL: 'silent' } }).values;
const app = openApp({ config, mode: 'command', now: () => END, rateLimits: false });
const { ctx } = app;

if (!isFilled) {
  const { id } = await app.act(createOrganization, { name: 'Acme' });
  await app.act(setPlan, { organization: id, plan: 'scale' });
  await app.act(createProject, { organization: id, name: 'web' });
}
const [project] = await listProjects(ctx);
if (project === undefined) throw new Error('there is no project');
const scope = operatorScope(project);
if (!isFilled) await fill(Number(values.spans));

async function fill(spans: number): Promise<void> {
  const random = createRandom(7);
  const runs = Math.ceil(spans / SPANS_PER_RUN);
  const first = END - DAYS * DAY_MS;
  for (let done = 0; done < runs; done += PART) {
    const part = Array.from({ length: Math.min(PART, runs - done) }, (_, i) =>
      makeRun(first + Math.floor(((done + i) / runs) * (DAYS * DAY_MS - 60_000)), random),
    );
    const events = part
      .flat()
      .sort((a, b) => a.end - b.end)
      .map((span) => toEvent(span, random));
    for (let at = 0; at < events.length; at += BATCH) {
      const batch = events.slice(at, at + BATCH).map((event) => ({ event, pricing: event }));
      while (!eventsOf(ctx).hasRoom()) await Bun.sleep(50);
      await eventsOf(ctx).record(scope, { events: batch, keyId: null, spans: true });
    }
    if ((done / PART) % 10 === 0) console.log(`${(done + part.length) * SPANS_PER_RUN} spans stored`);
  }
  for (const job of modules.flatMap(({ jobs = [] }) => jobs))
    if (job.name.startsWith('events.')) {
      const { status } = await runJob(ctx, job, 'schedule');
      console.log(`${job.name}: ${status}`);
    }
}

function toEvent(span: RunSpan, random: () => number): PricedEvent {
  const { trace, kind, name, start, end, isFailed } = span;
  const isCall = kind === 'llm';
  const tokens = Math.floor(200 + random() ** 3 * 8_000);
  const made = makeEvent();
  return {
    ...made,
    event_id: spanEventId(trace, span.span),
    trace_id: trace,
    span_id: span.span,
    parent_span_id: span.parent,
    ts: start,
    kind,
    provider: isCall ? 'openai' : null,
    model: isCall ? name : null,
    agent: span.agent,
    tool: kind === 'tool' ? name : null,
    status: isFailed ? 'error' : 'success',
    latency_ms: end - start,
    environment: 'production',
    release: start > END - 10 * DAY_MS ? '2.1.0' : '2.0.0',
    input_tokens: isCall ? tokens : 0,
    is_call: isCall,
    buckets: { ...made.buckets, fresh: isCall ? tokens : 0 },
    cost_nano: isCall ? tokens * 2_500 : null,
    cost_status: isCall ? 'client' : null,
  };
}

const window = { start: new Date(END - DAYS * DAY_MS).toISOString(), end: new Date(END).toISOString() };
const query = agentsQuerySchema.parse({ projectId: scope.projectId, ...window });
const figures = () => openFigures(ctx, scope, query);
const runs = (given: object) =>
  runMetrics(
    ctx,
    ofProject(scope),
    metricsDocumentSchema.parse({ ...window, ...given }) as EventsDocument,
    END,
  );
const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  graph: async () => readGraph(await figures()),
  agents: async () => listAgents(await figures(), false),
  agent: async () => readAgent(await figures(), 'agent-1'),
  'runs of an agent': () =>
    runs({ measures: ['runCostP50', 'runCostP95', 'runLatencyP95'], filter: 'agent:agent-1' }),
  'runs by agent and release': () =>
    runs({ measures: ['runs', 'runCostAvg', 'runCostP95'], groupBy: ['agent', 'release'] }),
  'runs of all by day': () => runs({ measures: ['runs', 'runCostP95'], bucket: '1d' }),
};
const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6);
for (let round = 0; round < Number(values.rounds); round++)
  for (const [name, read] of Object.entries(READS)) {
    Bun.gc(true);
    const [cpu, since] = [process.cpuUsage(), performance.now()];
    await read();
    const { user, system } = process.cpuUsage(cpu);
    const took = performance.now() - since;
    console.log(
      `${round} ${name}: ${((user + system) / 1e3).toFixed(0)} ms CPU, ${took.toFixed(0)} ms, ${megabytes()} MB`,
    );
  }
await app.close();
rmSync(folder, { recursive: true });
