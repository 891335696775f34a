import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  agentReplySchema,
  agentsReplySchema,
  graphReplySchema,
  toolReplySchema,
  toolsReplySchema,
} from '../../../src/features/agents/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const DAY = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();
/** 2,500 + 1,000 microdollars. */
const CALL = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100 };
let app: TestApp;
let other: Tenant;

/** A run of a planner that searches, and asks a worker; the worker calls a model. */
function makeRun(
  no: number,
  { ts, release, failed = false }: { ts: number; release: string; failed?: boolean },
) {
  const trace_id = no.toString(16).padStart(32, '0');
  const span = (id: number, parent: number | null, fields: object) => ({
    trace_id,
    span_id: (no * 100 + id).toString(16).padStart(16, '0'),
    ...(parent === null ? {} : { parent_span_id: (no * 100 + parent).toString(16).padStart(16, '0') }),
    timestamp: iso(ts + id),
    release,
    ...fields,
  });
  const status = failed ? 'error' : 'success';
  return [
    span(1, 0, { kind: 'agent', name: 'planner', latency_ms: 900, status }),
    span(2, 1, { ...CALL, latency_ms: 100, prompt_name: 'plan', prompt_version: '3' }),
    span(3, 1, { kind: 'tool', tool: 'search', latency_ms: 50, status }),
    span(4, 3, { kind: 'agent', agent: 'worker', latency_ms: 300 }),
    span(5, 4, { ...CALL, latency_ms: 200 }),
    // A step of the worker, not a call of it.
    span(6, 4, { kind: 'agent', agent: 'worker' }),
  ];
}

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const runs = [
    makeRun(1, { ts: TEST_NOW - 2 * DAY, release: '1' }),
    makeRun(2, { ts: TEST_NOW - DAY, release: '2', failed: true }),
    makeRun(3, { ts: TEST_NOW - 5_000, release: '2' }),
  ].flat();
  // Children come first, in requests of their own.
  for (const part of [runs.filter((_, i) => i % 2 === 1), runs.filter((_, i) => i % 2 === 0)])
    expect(
      (await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events: part.toReversed() })).status,
    ).toBe(202);
  await app.fetch('/v1/ingest', {
    apiKey: app.seed.apiKey,
    events: [
      { ...CALL, agent: 'triage  bot', timestamp: iso(TEST_NOW) },
      { ...CALL, timestamp: iso(TEST_NOW) },
    ],
  });
});
afterAll(() => app.close());

const call = (path: string, options: object = {}, tenant: Tenant = app.seed): Promise<Response> =>
  app.fetch(`${path}${path.includes('?') ? '&' : '?'}projectId=${tenant.projectId}`, {
    bearer: tenant.bearer,
    ...options,
  });
const read = async <T>(schema: { parse(json: unknown): T }, path: string): Promise<T> =>
  schema.parse(await (await call(path)).json());
const put = (path: string, json: object): Promise<Response> => call(path, { method: 'PUT', json });

describe('GET /v1/agents', () => {
  test('lists agents with runs, cost and what they use; tells steps from calls', async () => {
    const { agents, window } = await read(agentsReplySchema, '/v1/agents');
    expect(window).toEqual({
      start: '2026-05-16T00:00:00.000Z',
      end: iso(TEST_NOW - (TEST_NOW % 3_600_000) + 3_600_000 - 1),
    });
    expect(agents.map(({ name }) => name).sort()).toEqual(['planner', 'triage bot', 'worker']);
    const [planner, worker] = ['planner', 'worker'].map((name) =>
      agents.find((agent) => agent.name === name),
    );
    expect(planner).toMatchObject({
      runs: 3,
      failedRuns: 1,
      calls: 3,
      errors: 1,
      modelCalls: 3,
      toolCalls: 3,
      toolErrors: 1,
      runCost: expect.closeTo(6 * 0.0035, 9),
      costPerRun: expect.closeTo(2 * 0.0035, 9),
      costPerSuccessfulRun: expect.closeTo(3 * 0.0035, 9),
      cost: expect.closeTo(3 * 0.0035, 9),
      models: ['gpt-4o'],
      tools: ['search'],
      prompts: ['plan@3'],
      releases: ['2', '1'],
      latencyAvg: 900,
    });
    expect(worker).toMatchObject({ runs: 0, calls: 3, modelCalls: 3, costPerRun: null, latencyAvg: 300 });
    expect(planner?.series.slice(-3)).toEqual([2, 2, 2]);
  });

  test('shows nothing to another organization', async () => {
    expect(await (await call('/v1/agents', {}, other)).json()).toMatchObject({ agents: [] });
    expect((await call('/v1/agents/planner', {}, other)).status).toBe(404);
  });
});

test('the graph has every caller, with calls, failures, latency and cost on the edges', async () => {
  const { nodes, edges } = await read(graphReplySchema, '/v1/agents/graph');
  expect(nodes.map(({ id }) => id).sort()).toEqual([
    'agent:planner',
    'agent:triage bot',
    'agent:worker',
    'model:gpt-4o',
    'tool:search',
  ]);
  expect(edges.map(({ from, to, calls, errors }) => [from, to, calls, errors]).sort()).toEqual([
    ['agent:planner', 'model:gpt-4o', 3, 0],
    ['agent:planner', 'tool:search', 3, 1],
    ['agent:triage bot', 'model:gpt-4o', 1, 0],
    ['agent:worker', 'model:gpt-4o', 3, 0],
    ['tool:search', 'agent:worker', 3, 0],
  ]);
  const one = await read(
    graphReplySchema,
    `/v1/agents/graph?start=${iso(TEST_NOW - 2 * DAY)}&end=${iso(TEST_NOW - 2 * DAY)}`,
  );
  expect(one.edges.map(({ calls }) => calls)).toEqual([1, 1, 1, 1]);
});

test('calls without a price are counted beside each cost', async () => {
  const apart = await app.addTenant();
  const made = { agent: 'guard', trace_id: 'f'.repeat(32), timestamp: iso(TEST_NOW), kind: 'llm' };
  const events = [
    { ...made, kind: 'agent', span_id: 'a'.repeat(16), latency_ms: 9 },
    { ...made, ...CALL, span_id: 'b'.repeat(16), parent_span_id: 'a'.repeat(16) },
    { ...made, model: 'own', provider: 'acme', span_id: 'c'.repeat(16), parent_span_id: 'a'.repeat(16) },
  ];
  expect((await app.fetch('/v1/ingest', { apiKey: apart.apiKey, events })).status).toBe(202);
  const { nodes } = graphReplySchema.parse(await (await call('/v1/agents/graph', {}, apart)).json());
  expect(nodes.map(({ id, modelCalls, unpriced }) => [id, modelCalls, unpriced]).sort()).toEqual([
    ['agent:guard', 2, 1],
    ['model:gpt-4o', 1, 0],
    ['model:own', 1, 1],
  ]);
  const { agents } = agentsReplySchema.parse(await (await call('/v1/agents', {}, apart)).json());
  expect(agents).toMatchObject([{ name: 'guard', runModelCalls: 2, runUnpriced: 1, unpriced: 1 }]);
});

test('one agent has callers, callees and a version for each release', async () => {
  const { agent, callers, callees, versions } = await read(agentReplySchema, '/v1/agents/worker');
  expect(agent).toMatchObject({ name: 'worker', calls: 3 });
  expect(callers).toMatchObject([
    { kind: 'tool', name: 'search', calls: 3, latencyP50: expect.closeTo(300, -1) },
  ]);
  expect(callees).toMatchObject([{ kind: 'model', name: 'gpt-4o', calls: 3 }]);
  expect(versions.map(({ release, modelCalls }) => [release, modelCalls])).toEqual([
    ['2', 2],
    ['1', 1],
  ]);
  expect((await call('/v1/agents/nobody')).status).toBe(404);
});

test('an agent has the versions that its spans declare, and by fingerprint the time before', async () => {
  const apart = await app.addTenant();
  const run = (no: number, ts: number, fields: object, tool: string) => {
    const at = (id: number): string => (no * 1000 + id).toString(16).padStart(16, '0');
    const trace_id = `ab${no.toString(16).padStart(30, '0')}`;
    const below = { trace_id, parent_span_id: at(1), timestamp: iso(ts + 1) };
    return [
      // What it calls comes first, and does not say the version.
      { ...CALL, ...below, span_id: at(2), latency_ms: 10 },
      { ...below, span_id: at(3), kind: 'tool', tool, latency_ms: 5 },
      { ...below, span_id: at(4), kind: 'agent', agent: 'helper', agent_version: 'h1' },
      { ...CALL, ...below, parent_span_id: at(4), span_id: at(5) },
      { trace_id, span_id: at(1), kind: 'agent', agent: 'pilot', timestamp: iso(ts), ...fields },
    ];
  };
  const day = TEST_NOW - 5 * DAY;
  const events = [
    run(1, day, { release: 'r1' }, 'look'),
    run(2, day + DAY, { release: 'r1', agent_version: '2.0', latency_ms: 100 }, 'look'),
    run(3, day + 2 * DAY, { release: 'r2', agent_version: '2.0', latency_ms: 300 }, 'look'),
    run(4, day + 2 * DAY, { release: 'r2', agent_version: '2.1', status: 'error' }, 'write'),
  ];
  for (const part of events)
    expect((await app.fetch('/v1/ingest', { apiKey: apart.apiKey, events: part })).status).toBe(202);
  const ofPilot = agentReplySchema.parse(await (await call('/v1/agents/pilot', {}, apart)).json());
  expect(
    ofPilot.versions.map(({ version, release, runs, failedRuns, modelCalls, added, from, to }) => [
      ...[version, release, runs, failedRuns, modelCalls],
      ...[added, from.slice(8), to.slice(8)],
    ]),
  ).toEqual([
    ['2.1', 'r2', 1, 1, 1, ['tool write'], iso(day + 2 * DAY).slice(8, 10), iso(day + 2 * DAY).slice(8, 10)],
    ['2.0', 'r2', 2, 0, 2, [], iso(day + DAY).slice(8, 10), iso(day + 2 * DAY).slice(8, 10)],
    [null, 'r1', 1, 0, 1, [], iso(day).slice(8, 10), iso(day).slice(8, 10)],
  ]);
  const ofHelper = agentReplySchema.parse(await (await call('/v1/agents/helper', {}, apart)).json());
  expect(ofHelper.versions.map(({ version, runs, modelCalls }) => [version, runs, modelCalls])).toEqual([
    ['h1', 0, 4],
  ]);
  // The figures of its runs are those of the metrics query.
  const query = async (filter: string, groupBy: string[]) => {
    const json = { measures: ['runs', 'runCost', 'runErrorRate', 'runLatencyAvg'], filter, groupBy };
    const body = await (await call('/v1/metrics/query', { method: 'POST', json }, apart)).json();
    return (body as { groups: { key: Record<string, string | null>; values: Record<string, number> }[] })
      .groups;
  };
  const groups = await query('agent:pilot', ['agentVersion']);
  for (const { version, runs, runCost, failedRuns, latencyAvg } of ofPilot.versions)
    expect(groups.find(({ key }) => key.agentVersion === version)?.values).toEqual({
      ...{ runs, runErrorRate: failedRuns / runs, runLatencyAvg: latencyAvg as unknown as number },
      runCost: expect.closeTo(runCost, 12) as number,
    });
  expect((await query('agentVersion:2.0', ['agent'])).map(({ values }) => values.runs)).toEqual([2]);
  // Of events it is their own field.
  const list = await call('/v1/events?kind=all&filter=agentVersion:2.*', {}, apart);
  const page = (await list.json()) as { total: number; events: { agent_version: string }[] };
  expect([page.total, page.events[0]?.agent_version]).toEqual([3, '2.1']);
});

test('tools have failures, latency and callers', async () => {
  const { tools } = await read(toolsReplySchema, '/v1/tools');
  expect(tools).toMatchObject([
    { name: 'search', calls: 3, errors: 1, latencyAvg: 50, callers: ['planner'] },
  ]);
  const { callees } = await read(toolReplySchema, '/v1/tools/search');
  expect(callees).toMatchObject([{ kind: 'agent', name: 'worker', calls: 3 }]);
});

describe('PUT /v1/agents/:name', () => {
  test('a merged agent counts under the other name, a hidden one is left out', async () => {
    expect((await put('/v1/agents/worker', { mergedInto: 'triage bot' })).status).toBe(200);
    const merged = await read(agentsReplySchema, '/v1/agents');
    expect(merged.agents.map(({ name, modelCalls }) => [name, modelCalls])).toEqual([
      ['triage bot', 4],
      ['planner', 3],
    ]);
    expect((await read(agentReplySchema, '/v1/agents/triage%20bot')).merged).toEqual(['worker']);
    expect((await put('/v1/agents/triage%20bot', { mergedInto: 'worker' })).status).toBe(409);
    expect((await put('/v1/agents/worker', { mergedInto: 'worker' })).status).toBe(400);
    expect((await put('/v1/agents/worker', { mergedInto: null })).status).toBe(200);
    const note = await put('/v1/agents/worker', { hidden: true, owner: 'Research' });
    expect(await note.json()).toEqual({
      owner: 'Research',
      description: '',
      url: '',
      hidden: true,
      mergedInto: null,
    });
    const { agents } = await read(agentsReplySchema, '/v1/agents');
    expect(agents.map(({ name }) => name)).not.toContain('worker');
    const { nodes } = await read(graphReplySchema, '/v1/agents/graph');
    expect(nodes.map(({ id }) => id)).not.toContain('agent:worker');
    expect((await read(agentsReplySchema, '/v1/agents?hidden=true')).agents.length).toBe(3);
    expect((await put('/v1/agents/worker', { url: 'javascript:alert(1)' })).status).toBe(400);
    expect((await put('/v1/agents/worker', {})).status).toBe(400);
  });
});
