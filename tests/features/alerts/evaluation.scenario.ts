/**
 * A process for the kill test: lets minutes pass in which an alert fires and resolves, and another one opens incidents,
 * until it is killed; with `drain` it goes on until all is resolved and sends until nothing is due.
 * Arguments: database file, epoch milliseconds, address of the endpoint, `work` or `drain`.
 */
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { initLedger } from '../../../src/core/auth/index.ts';
import { createChannel } from '../../../src/core/deliveries/channels/set-channel.ts';
import { deliveriesModule } from '../../../src/core/deliveries/index.ts';
import { nextDue } from '../../../src/core/deliveries/worker/due.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { createKey } from '../../../src/core/keys/index.ts';
import { listProjects } from '../../../src/core/projects/index.ts';
import { operatorScope } from '../../../src/core/tenancy/index.ts';
import { createAlert } from '../../../src/features/alerts/change/save-alert.ts';
import { alertInput } from '../../../src/features/alerts/contract.ts';
import { evaluateAlerts } from '../../../src/features/alerts/evaluate/jobs.ts';
import { resolveHealthy } from '../../../src/features/incidents/alerts/resolve-healthy.ts';
import { setSettings } from '../../../src/features/incidents/change/change-incident.ts';
import { modules } from '../../../src/features.ts';
import { formatInstant, MINUTE_MS } from '../../../src/lib/time.ts';
import { untilAccepted } from '../../core/deliveries/until-accepted.ts';

const [file = '', now = '0', url = '', task] = process.argv.slice(2);
const config = loadConfig({
  env: { DATABASE_URL: file, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' },
}).values;
let clock = Number(now);
const app = openApp({ config, mode: 'command', now: () => clock });
const { ctx } = app;
const actor = { kind: 'system', name: 'test' } as const;

async function setUp(): Promise<void> {
  if ((await listProjects(ctx)).length > 0) return;
  await app.act(initLedger, {
    org: 'Acme',
    project: 'web',
    email: 'ada@example.com',
    password: 'correct horse',
  });
  const [project] = await listProjects(ctx);
  if (project === undefined) throw new Error('there is no project');
  const { organizationId } = project;
  const { id } = await createChannel(ctx, actor, {
    organizationId,
    input: { name: 'hook', kind: 'webhook', config: { url }, enabled: true, types: [] },
  });
  const scope = operatorScope(project);
  // Incidents are over before the alerts fire again.
  await setSettings(ctx, { scope, actor }, { autoResolveMinutes: 1 });
  for (const opensIncident of [false, true]) {
    const rule = alertInput.parse({
      name: opensIncident ? 'Incidents' : 'Errors',
      measure: 'errors',
      groupBy: 'model',
      window: '5m',
      condition: { kind: 'threshold', operator: 'gte', critical: 3 },
      channelIds: [id],
      opensIncident,
    });
    await createAlert(ctx, { scope, actor, userId: null }, rule);
  }
}

/** What a server does each minute. */
const followUp = modules.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'outbox.deliver');
async function evaluate(): Promise<void> {
  await runJob(ctx, evaluateAlerts, 'schedule');
  if (followUp !== undefined) await runJob(ctx, followUp, 'schedule');
  await runJob(ctx, resolveHealthy, 'schedule');
}

async function send(apiKey: string): Promise<void> {
  const event = { provider: 'openai', status: 'error', timestamp: formatInstant(clock) };
  const events = ['a', 'b'].flatMap((model) => Array.from({ length: 3 }, () => ({ ...event, model })));
  const body = events.map((one) => JSON.stringify(one)).join('\n');
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' };
  const request = () => new Request('http://localhost/v1/ingest', { method: 'POST', headers, body });
  const response = await untilAccepted(async () => app.fetch(request(), { address: '127.0.0.1' }));
  if (response.status !== 202) throw new Error(await response.text());
}

await setUp();
if (task === 'drain') {
  for (let minute = 0; minute < 4; minute++) {
    await evaluate();
    clock += MINUTE_MS;
  }
  const job = deliveriesModule.jobs?.[0];
  // What waits for an older delivery of its group is sent after that one, so there are many rounds.
  for (let at: number | null = clock; at !== null; at = await nextDue(ctx)) {
    clock = Math.max(clock, at);
    if (job !== undefined) await runJob(ctx, job, 'schedule');
  }
  await app.close();
} else {
  const [project] = await listProjects(ctx);
  const { apiKey } = await app.act(createKey, { project: project?.id ?? '', name: Bun.randomUUIDv7() });
  for (let minute = 0; ; minute++) {
    if (minute % 8 === 0) await send(apiKey);
    clock += MINUTE_MS;
    await evaluate();
    process.stdout.write('minute\n');
    await new Promise(setImmediate);
  }
}
