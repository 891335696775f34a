import type { EventPage, TracePage } from '../../src/core/events/contract.ts';
import { createProject } from '../../src/core/projects/index.ts';
import { READY_SUITES } from '../../src/lib/simulations/suites/ready-suites.ts';
import type { World } from './world.ts';

/** The pages of single things that `seedEveryPage` makes. */
export const SINGLES = [
  'event',
  'trace',
  'session',
  'user',
  'dashboard',
  'alert',
  'incident',
  'dataset',
  'experiment',
  'queue',
  'annotate',
  'agent',
  'tool',
  'prompt',
  'evaluator',
  'suite',
  'run',
  'party',
] as const;

/** A page below a project. */
export type NamedPage = { readonly name: (typeof SINGLES)[number]; readonly path: string };

const TILE = { kind: 'bars', measures: ['cost'], groupBy: ['model'], x: 0, y: 0, w: 6, h: 4 };

/**
 * Gives each page of a project with demo data something to show, and returns the pages of single things; also a project
 * without any event.
 */
export async function seedEveryPage({ app }: World): Promise<{ pages: NamedPage[]; emptyProjectId: string }> {
  const { projectId, organizationId, bearer, apiKey } = app.seed;
  const read = async <T>(path: string): Promise<T> => (await (await app.fetch(path, { bearer })).json()) as T;
  const ofProject = `projectId=${projectId}`;
  const post = async (path: string, json: object): Promise<string> => {
    const reply = await app.fetch(path.includes('?') ? path : `${path}?${ofProject}`, { bearer, json });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return ((await reply.json()) as { id: string }).id;
  };
  const newest = `${ofProject}&limit=1`;
  const [{ events }, { traces }, { sessions }, { users }] = await Promise.all([
    read<EventPage>(`/v1/events?${newest}`),
    read<TracePage>(`/v1/traces?${newest}&sort=spans`),
    read<{ sessions: { session_id: string }[] }>(`/v1/sessions?${newest}`),
    read<{ users: { user_id: string }[] }>(`/v1/users?${newest}`),
  ]);
  const [event, trace] = [events[0], traces[0]];
  const traceId = trace?.trace_id ?? '';
  const dashboard = await post('/v1/dashboards', {
    name: 'Models',
    tiles: [
      { ...TILE, id: 'a', title: 'Cost by model' },
      { ...TILE, id: 'b', title: 'Latency', kind: 'line', measures: ['latencyP95'], groupBy: [], x: 6 },
    ],
  });
  const alert = await post('/v1/alerts', {
    name: 'Errors by model',
    measure: 'errorRate',
    groupBy: 'model',
    window: '15m',
    condition: { kind: 'threshold', operator: 'gt', warning: 0.02, critical: 0.1 },
  });
  const incident = await post('/v1/incidents', { title: 'Answers take a minute', severity: 'critical' });
  await post('/v1/comments', { traceId, text: 'The second search is the slow one.' });
  await post('/v1/bookmarks', { traceId });
  await post('/v1/views', { name: 'Failed calls', search: { filter: 'status:failed' } });
  await post('/v1/deployments', { release: '2.4.1', environment: 'production', title: 'Smaller prompts' });
  const { dataset, experiment, queue } = await seedQuality(post, traceId);
  const { evaluator, suite, run } = await seedPromptsAndRuns(post);
  const org = `?organizationId=${organizationId}`;
  await post(`/v1/channels${org}`, {
    name: 'on-call',
    kind: 'webhook',
    config: { url: 'https://example.com/hook' },
  });
  await post(`/v1/access-tokens${org}`, { name: 'cost report', scopes: ['read'] });
  await post(`/v1/budgets${org}`, { of: { kind: 'organization' }, period: 'month', limitUsd: 50 });
  await app.addUser('viewer');
  await app.fetch('/v1/ingest', { apiKey, events: [{ provider: 'openai', latency_ms: 'long' }] });
  const { id: emptyProjectId } = await app.app.act(createProject, { organization: 'Acme', name: 'Empty' });
  const thisMonth = new Date(app.clock.now()).toISOString().slice(0, 7);
  const party = encodeURIComponent(users[0]?.user_id ?? '');
  const eventAt = `events?event=${event?.event_id}&at=${event?.timestamp}`;
  return {
    emptyProjectId,
    pages: [
      { name: 'event', path: eventAt },
      { name: 'trace', path: `traces/${traceId}` },
      { name: 'session', path: `sessions/${encodeURIComponent(sessions[0]?.session_id ?? '')}` },
      { name: 'user', path: `users/${encodeURIComponent(users[0]?.user_id ?? '')}` },
      { name: 'dashboard', path: `dashboards/${dashboard}` },
      { name: 'alert', path: `alerts/${alert}` },
      { name: 'incident', path: `incidents/${incident}` },
      { name: 'dataset', path: `datasets/${dataset}` },
      { name: 'experiment', path: `experiments/${experiment}` },
      { name: 'queue', path: `annotation-queues/${queue}` },
      { name: 'annotate', path: `annotation-queues/${queue}/annotate?item=1` },
      { name: 'agent', path: 'agents/support-assistant?range=7d' },
      { name: 'tool', path: 'tools/run_sql?range=7d' },
      { name: 'prompt', path: 'prompts/support%2Ftriage' },
      { name: 'evaluator', path: `evaluators/${evaluator}` },
      { name: 'suite', path: `simulations/${suite}` },
      { name: 'run', path: `simulations/runs/${run}` },
      { name: 'party', path: `statements/party?by=user&month=${thisMonth}&party=${party}&of=${projectId}` },
    ],
  };
}

type Post = (path: string, json: object) => Promise<string>;

/** A dataset, an experiment with its baseline, and an annotation queue. */
async function seedQuality(
  post: Post,
  traceId: string,
): Promise<{ dataset: string; experiment: string; queue: string }> {
  const dataset = await post('/v1/datasets', { name: 'Sums', description: 'Small sums' });
  const items = Array.from({ length: 12 }, (_, i) => ({
    id: `q-${i}`,
    input: { question: `${i} + ${i}?` },
    expectedOutput: String(2 * i),
    split: i < 8 ? 'train' : 'test',
    ...(i === 0 && { sourceTraceId: traceId }),
  }));
  await post(`/v1/datasets/${dataset}/items`, { items, message: 'First questions' });
  const run = async (name: string, wrong: number, more: object): Promise<string> => {
    const task = { kind: 'external' };
    const id = await post('/v1/experiments', { name, datasetId: dataset, task, ...more });
    const results = items.map(({ id: itemId, expectedOutput }, i) => ({
      itemId,
      output: i < wrong ? '?' : expectedOutput,
      latencyMs: 200 + 10 * i + 30 * wrong,
      costUsd: 0.0004 / (wrong + 1),
      scores: [{ name: 'accuracy', value: i >= wrong }],
    }));
    await post(`/v1/experiments/${id}/items`, { items: results });
    await post(`/v1/experiments/${id}/finish`, {});
    return id;
  };
  const baselineId = await run('Large model', 1, {});
  const experiment = await run('Small model', 3, { baselineId });
  await post('/v1/score-definitions', {
    name: 'checked',
    type: 'boolean',
    description: 'Is the answer right?',
  });
  await post('/v1/score-definitions', {
    name: 'register',
    type: 'category',
    categories: ['friendly', 'neutral', 'rude'],
    direction: 'none',
  });
  const queue = await post('/v1/annotation-queues', {
    name: 'Answers of this week',
    instructions: 'Open the page that the answer names.',
    scoreNames: ['checked', 'register'],
    items: [{ traceId }],
    annotators: 2,
  });
  return { dataset, experiment, queue };
}

/** A prompt with two versions and a label, an evaluator, a guardrail, and a simulation suite with a run. */
async function seedPromptsAndRuns(post: Post): Promise<{ evaluator: string; suite: string; run: string }> {
  const template = 'Sort {{ticket}} of {{team}}';
  await post('/v1/prompts', { name: 'support/triage', template, message: 'First' });
  const evaluator = await post('/v1/evaluators', {
    name: 'Short answers',
    scoreName: 'short',
    kind: 'regex',
    config: { pattern: '^.{1,400}$' },
  });
  await post('/v1/guardrails', {
    name: 'personal-data',
    checks: [{ kind: 'keywords', config: { words: ['falcon'] }, action: 'redact' }],
  });
  const target = { kind: 'http', url: 'https://example.com/chat', reply: { text: 'answer' } };
  const suite = await post('/v1/simulations', { suite: { ...READY_SUITES.booking, target } });
  const run = await post(`/v1/simulations/${suite}/runs`, {});
  return { evaluator, suite, run };
}
