import type { EventPage, TracePage } from '../../../src/core/events/contract.ts';
import { EXAMPLE_EVENT } from '../../../src/core/events/input/contract.ts';
import { inviteLink } from '../../../src/core/invitations/index.ts';
import { delivery } from '../../audit/channels.scenarios.ts';
import { TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { createAuthenticator } from '../../helpers/authenticator.ts';
import { addApp, addPasskey, startSignIn } from '../../helpers/factors.ts';
import { linkFor } from '../../helpers/links.ts';
import { type TestSmtp, tokenIn } from '../../helpers/smtp.ts';
import { appCode } from '../../helpers/totp.ts';

/** What a request is made in: `bearer` is of who asks. */
type Asked = {
  readonly world: TestApp;
  readonly smtp: TestSmtp;
  readonly bearer: string;
  /** Path and query of the request. */
  readonly path: string;
};

async function post<T>(world: TestApp, path: string, bearer: string, json: object = {}): Promise<T> {
  const reply = await world.fetch(path, { bearer, json });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}

const me = async (world: TestApp, bearer: string): Promise<{ id: string; email: string }> =>
  ((await (await world.fetch('/v1/auth/me', { bearer })).json()) as { user: { id: string; email: string } })
    .user;

async function invitation(world: TestApp, email?: string): Promise<{ token: string }> {
  const { url } = await world.app.act(inviteLink, { organization: 'Acme', role: 'member', email });
  return { token: url?.slice(url.indexOf('=') + 1) ?? '' };
}

const challenge = async (world: TestApp): Promise<{ challenge: string; code: string }> => {
  const { bearer, email } = await world.addUser('member');
  const app = await addApp(world, bearer);
  // The code that added the app is used up.
  world.clock.advance(30_000);
  return { challenge: (await startSignIn(world, email)).challenge, code: app.code() };
};

/** Saves how statements are made, and needs nothing of the reply. */
async function someStatements(world: TestApp, bearer: string, by: string): Promise<object> {
  const path = `/v1/organizations/${world.seed.organizationId}/statement-definitions`;
  const reply = await world.fetch(path, { method: 'PUT', bearer, json: { by } });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return {};
}

/** Names of suites are unique. */
const anotherSuite = (): object => ({
  name: crypto.randomUUID(),
  scenarios: [{ name: 'a', script: ['Hello'] }],
});

/** Values of an example that only this server knows, such as the token of a mail, in place of made-up ones. */
export const SECRETS: Readonly<Record<string, (asked: Asked) => Promise<object>>> = {
  'POST /v1/experiments': async ({ world, bearer }) => ({ datasetId: await someDataset(world, bearer) }),
  'POST /v1/experiments/estimate': async ({ world, bearer }) => ({
    datasetId: await someDataset(world, bearer),
  }),
  'POST /v1/datasets/{id}/items/stored': async ({ world }) => ({
    targets: [{ traceId: await someTrace(world, '') }],
  }),
  'POST /v1/annotation-queues': async ({ world, bearer }) => ({
    name: crypto.randomUUID(),
    scoreNames: [await someDefinition(world, bearer)],
  }),
  'PUT /v1/annotation-queues/{id}': async ({ world, bearer }) => ({
    name: crypto.randomUUID(),
    scoreNames: [await someDefinition(world, bearer)],
  }),
  'PUT /v1/annotation-queues/{id}/items/{no}/annotation': async () => ({ scores: { exampled: true } }),
  'POST /v1/simulations': async () => ({ suite: anotherSuite() }),
  'PUT /v1/simulations/{id}': async () => ({ suite: anotherSuite() }),
  'POST /v1/online-rules': async ({ world, bearer }) => ({ evaluatorId: await someEvaluator(world, bearer) }),
  'PUT /v1/online-rules/{id}': async ({ world, bearer }) => ({
    evaluatorId: await someEvaluator(world, bearer),
  }),
  'DELETE /v1/organizations/{id}/statement-definitions': ({ world, bearer }) =>
    someStatements(world, bearer, 'tag:customer'),
  'POST /v1/organizations/{id}/statements/close': ({ world, bearer }) =>
    someStatements(world, bearer, 'project'),
  'POST /v1/auth/magic-link/verify': async ({ world, smtp }) => {
    const { email } = await world.addUser('member');
    await post(world, '/v1/auth/sign-in/magic-link', '', { email });
    const mail = await smtp.next(email);
    return { token: tokenIn(mail, 'magic') };
  },
  'POST /v1/auth/signup/confirm': async ({ world }) => ({
    token: await linkFor(world, 'sign-up', JSON.stringify({ email: 'alan@example.com' })),
  }),
  'POST /v1/auth/reset-password': async ({ world }) => ({
    token: await linkFor(world, 'reset', (await world.addUser('member')).userId),
  }),
  'POST /v1/auth/verify-email': async ({ world, bearer }) => ({
    token: await linkFor(world, 'verify', (await me(world, bearer)).id),
  }),
  'POST /v1/auth/change-email/confirm': async ({ world, bearer }) => {
    const { id: userId } = await me(world, bearer);
    return { token: await linkFor(world, 'email', JSON.stringify({ userId, email: 'a.l@example.com' })) };
  },
  'POST /v1/auth/two-factor/totp/confirm': async ({ world, bearer }) => {
    const begun = await post<{ secret: string; enrolment: string }>(
      world,
      '/v1/auth/two-factor/totp',
      bearer,
      {},
    );
    return { enrolment: begun.enrolment, code: appCode(begun.secret, world.clock.now()) };
  },
  'POST /v1/auth/two-factor/totp/remove': async ({ world, bearer }) => {
    await addApp(world, bearer);
    return {};
  },
  'POST /v1/auth/two-factor/recovery-codes': async ({ world, bearer }) => {
    await addApp(world, bearer);
    return {};
  },
  'POST /v1/auth/login/second-factor': ({ world }) => challenge(world),
  'POST /v1/auth/login/second-factor/options': async ({ world }) => {
    const { bearer, email } = await world.addUser('member');
    await addPasskey(world, bearer);
    return { challenge: (await startSignIn(world, email)).challenge };
  },
  'POST /v1/auth/passkeys': async ({ world, bearer }) => {
    const { options } = await post<{ options: { challenge: string } }>(
      world,
      '/v1/auth/passkeys/options',
      bearer,
      { password: TEST_PASSWORD },
    );
    return { response: createAuthenticator().create(options) };
  },
  'POST /v1/auth/passkeys/sign-in': async ({ world, bearer }) => {
    const { authenticator } = await addPasskey(world, bearer);
    const { options } = await post<{ options: { challenge: string } }>(
      world,
      '/v1/auth/passkeys/sign-in/options',
      '',
    );
    return { response: authenticator.get(options) };
  },
  'PUT /v1/organizations/{id}/second-factor': async ({ world, bearer }) => {
    await addApp(world, bearer);
    return {};
  },
  'POST /v1/organizations/{id}/leave': async ({ world, path }) => {
    await world.addUser('owner', path.split('/')[3]);
    return {};
  },
  'POST /v1/organizations/{id}/transfer': async ({ world, path }) => ({
    userId: (await world.addUser('viewer', path.split('/')[3])).userId,
  }),
  'POST /v1/scheduled-reports': async ({ world }) => ({ memberIds: [world.seed.userId] }),
  'PUT /v1/scheduled-reports/{id}': async ({ world }) => ({ memberIds: [world.seed.userId] }),
  'POST /v1/ai/root-cause': async ({ world, bearer }) => {
    const path = `/v1/incidents?projectId=${world.seed.projectId}`;
    return { incidentId: (await post<{ id: string }>(world, path, bearer, { title: 'Slow answers' })).id };
  },
  'POST /v1/incidents/{id}/merge': async ({ world, bearer }) => {
    const path = `/v1/incidents?projectId=${world.seed.projectId}`;
    return { into: (await post<{ id: string }>(world, path, bearer, { title: 'Search is slow' })).id };
  },
  'POST /v1/invitations/preview': ({ world }) => invitation(world),
  'POST /v1/invitations/accept': async ({ world }) => invitation(world),
  'POST /v1/invitations/sign-up': ({ world }) => invitation(world, 'edsger@example.com'),
};

/** Operations that would lock the owner out of the organization of all others: a new person asks, for a new one. */
export const OWN_ORGANIZATION: readonly string[] = [
  'DELETE /v1/organizations/{id}',
  'PUT /v1/organizations/{id}/second-factor',
  'POST /v1/organizations/{id}/transfer',
  'POST /v1/organizations/{id}/leave',
];

type Value = (world: TestApp, bearer: string) => Promise<string>;

const read = async <T>(world: TestApp, path: string, bearer = world.seed.bearer): Promise<T> =>
  (await (await world.fetch(path, { bearer })).json()) as T;
const someEvent: Value = async (world) =>
  (await read<EventPage>(world, `/v1/events?projectId=${world.seed.projectId}&limit=1`)).events[0]
    ?.event_id ?? '';
const someTrace: Value = async (world) =>
  (await read<TracePage>(world, `/v1/traces?projectId=${world.seed.projectId}&limit=1`)).traces[0]
    ?.trace_id ?? '';
const someMember: Value = async (world) => (await world.addUser('viewer')).userId;

/** A line that is refused. */
const someLine: Value = async (world) => {
  await world.fetch('/v1/ingest', {
    apiKey: world.seed.apiKey,
    events: [{ ...EXAMPLE_EVENT, latency_ms: 'long' }, EXAMPLE_EVENT],
  });
  const { lines } = await read<{ lines: { id: string }[] }>(
    world,
    `/v1/quarantine?projectId=${world.seed.projectId}`,
  );
  return lines[0]?.id ?? '';
};

/** An agent that called a tool. */
const someCall =
  (name: 'agent' | 'tool'): Value =>
  async (world) => {
    const called = { kind: 'tool', agent: 'planner', tool: 'search' } as const;
    await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [called] });
    return called[name];
  };

/** The prompt of the examples, with the label `production` and one more version. */
const somePrompt: Value = async (world, bearer) => {
  const name = 'support/triage';
  const at = `projectId=${world.seed.projectId}`;
  const version = { template: 'Sort this ticket: {{ticket}}', labels: ['production'] };
  const made = await world.fetch(`/v1/prompts?${at}`, { bearer, json: { name, ...version } });
  const path = `/v1/prompts/${encodeURIComponent(name)}/versions?${at}`;
  if (!made.ok) await post(world, path, bearer, version);
  return name;
};

/** A version of it that no label names. */
const someVersion: Value = async (world, bearer) => {
  const path = `/v1/prompts/support%2Ftriage/versions?projectId=${world.seed.projectId}`;
  return String((await post<{ version: number }>(world, path, bearer, { template: 'Sort it' })).version);
};

/** A dataset with the item of the examples. */
async function someDataset(world: TestApp, bearer: string): Promise<string> {
  const query = `?projectId=${world.seed.projectId}`;
  const dataset = { name: crypto.randomUUID() };
  const { id } = await post<{ id: string }>(world, `/v1/datasets${query}`, bearer, dataset);
  await post(world, `/v1/datasets/${id}/items${query}`, bearer, { items: [{ id: 'q-1', input: 1 }] });
  return id;
}

async function someEvaluator(world: TestApp, bearer: string): Promise<string> {
  const body = { name: crypto.randomUUID(), kind: 'latency', scoreName: 'fast', config: { maxMs: 100 } };
  const path = `/v1/evaluators?projectId=${world.seed.projectId}`;
  return (await post<{ id: string }>(world, path, bearer, body)).id;
}

/** An external experiment that is open. */
async function someExperiment(world: TestApp, bearer: string): Promise<string> {
  const body = { name: 'x', datasetId: await someDataset(world, bearer), task: { kind: 'external' } };
  const path = `/v1/experiments?projectId=${world.seed.projectId}`;
  return (await post<{ id: string }>(world, path, bearer, body)).id;
}

/** A suite whose target cannot be reached. */
async function someSuite(world: TestApp, bearer: string): Promise<string> {
  const suite = {
    name: crypto.randomUUID(),
    target: { kind: 'http', url: 'https://agent.invalid/chat' },
    scenarios: [{ name: 'a', script: ['Hello'] }],
  };
  const path = `/v1/simulations?projectId=${world.seed.projectId}`;
  return (await post<{ id: string }>(world, path, bearer, { suite })).id;
}

async function someRun(world: TestApp, bearer: string): Promise<string> {
  const path = `/v1/simulations/${await someSuite(world, bearer)}/runs?projectId=${world.seed.projectId}`;
  return (await post<{ id: string }>(world, path, bearer, {})).id;
}

/** A score that is true or false. */
async function someDefinition(world: TestApp, bearer: string): Promise<string> {
  const path = `/v1/score-definitions?projectId=${world.seed.projectId}`;
  await world.fetch(path, { bearer, json: { name: 'exampled', type: 'boolean' } });
  return 'exampled';
}

/** A queue with one item, whose number is 1. */
async function someQueue(world: TestApp, bearer: string): Promise<string> {
  const scoreNames = [await someDefinition(world, bearer)];
  const body = {
    name: crypto.randomUUID(),
    scoreNames,
    items: [{ traceId: await someTrace(world, bearer) }],
  };
  const path = `/v1/annotation-queues?projectId=${world.seed.projectId}`;
  return (await post<{ id: string }>(world, path, bearer, body)).id;
}

/** Of calls that failed and were paid. */
async function someRecommendation(world: TestApp, bearer: string): Promise<string> {
  const events = Array.from({ length: 50 }, () => ({
    provider: 'openai',
    model: 'gpt-4.1',
    timestamp: new Date(world.clock.now() - 60_000).toISOString(),
    input_tokens: 20_000,
    output_tokens: 2_000,
    status: 'timeout',
  }));
  await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  const path = `/v1/ai/recommendations?projectId=${world.seed.projectId}`;
  const { recommendations } = await read<{ recommendations: { id: string }[] }>(world, path, bearer);
  return recommendations[0]?.id ?? '';
}

/** Ids that the example of no `POST` makes: `NAME of COLLECTION`, or of one operation. */
export const IDS: Readonly<Record<string, Value>> = {
  'id of /v1/ai/recommendations': someRecommendation,
  'POST /v1/ai/recommendations/{id}/reopen id': async (world, bearer) => {
    const id = await someRecommendation(world, bearer);
    const path = `/v1/ai/recommendations/${id}/dismiss?projectId=${world.seed.projectId}`;
    return (await post<{ id: string }>(world, path, bearer, { reason: 'known' })).id;
  },
  'provider of /v1/auth/callback': async () => 'github',
  'sessionId of /v1/auth/sessions': async (world, bearer) =>
    (await read<{ sessions: { id: string }[] }>(world, '/v1/auth/sessions', bearer)).sessions[0]?.id ?? '',
  'passkeyId of /v1/auth/passkeys': async (world, bearer) => (await addPasskey(world, bearer)).passkey.id,
  'userId of /v1/organizations/{id}/members': someMember,
  'id of /v1/events': someEvent,
  'traceId of /v1/traces': someTrace,
  'sessionId of /v1/sessions': async () => EXAMPLE_EVENT.session_id,
  'userId of /v1/users': async () => EXAMPLE_EVENT.user_id,
  'lineId of /v1/quarantine': someLine,
  'name of /v1/agents': someCall('agent'),
  'name of /v1/tools': someCall('tool'),
  'id of /v1/deliveries': delivery,
  'id of /v1/annotation-queues': someQueue,
  'no of /v1/annotation-queues/{id}/items': async () => '1',
  'id of /v1/experiments': someExperiment,
  'id of /v1/simulations': someSuite,
  'run of /v1/simulations/runs': someRun,
  'no of /v1/simulations/runs/{run}/conversations': async () => '1',
  'name of /v1/simulations/{id}/secrets': async () => 'AGENT_KEY',
  'id of /v1/scores': async (world, bearer) => {
    const score = { name: 'helpful', value: true, traceId: 't1', scoreId: crypto.randomUUID() };
    const path = `/v1/scores?projectId=${world.seed.projectId}`;
    return (await post<{ scores: { id: string }[] }>(world, path, bearer, score)).scores[0]?.id ?? '';
  },
  'name of /v1/prompts': somePrompt,
  'name of /v1/sdk/prompts': (world) => somePrompt(world, world.seed.bearer),
  'version of /v1/prompts/{name}/versions': someVersion,
  'label of /v1/prompts/{name}/labels': async () => 'production',
  'id of /v1/auth/scheduled-reports': async (world, bearer) => {
    const path = `/v1/scheduled-reports?organizationId=${world.seed.organizationId}`;
    const memberIds = [(await me(world, bearer)).id];
    const report = { name: crypto.randomUUID(), period: 'week', memberIds };
    return (await post<{ id: string }>(world, path, world.seed.bearer, report)).id;
  },
  'DELETE /v1/projects/{id} id': async (world, bearer) => {
    const path = `/v1/organizations/${world.seed.organizationId}/projects`;
    return (await post<{ id: string }>(world, path, bearer, { name: 'Old project' })).id;
  },
};

/** Operations whose example does not succeed in this world, with the documented status. */
export const STATUS: Readonly<Record<string, number>> = {
  // The world has an owner.
  'POST /v1/auth/setup': 403,
  'POST /v1/auth/setup/check': 403,
  // Back to the sign-in page, which says that the sign-in did not begin here.
  'GET /v1/auth/callback/{provider}': 302,
  // The dry run has not ended.
  'POST /v1/repricings/{id}/apply': 409,
  'POST /v1/repricings/{id}/undo': 409,
};
