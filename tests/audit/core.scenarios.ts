import { createSetupToken, createUser, initLedger } from '../../src/core/auth/index.ts';
import { createKey, revokeKey, rotateKey } from '../../src/core/keys/index.ts';
import { createOrganization, setPlan } from '../../src/core/orgs/index.ts';
import { createProject, deleteProject } from '../../src/core/projects/index.ts';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';

const SET_UP = ['organization.created', 'project.created', 'project.api_key_created', 'member.added'];
const owner = { project: 'p', email: 'first@example.com', password: TEST_PASSWORD };

export const scenarios: AuditScenarios = {
  init: scenario({
    empty: true,
    act: ({ app }) => app.act(initLedger, { org: 'Acme', ...owner }),
    tells: SET_UP,
  }),
  'POST /v1/auth/setup': scenario({
    empty: true,
    prepare: async ({ ctx }) => (await createSetupToken(ctx))?.token ?? '',
    act: ({ fetch }, token) => fetch('/v1/auth/setup', { json: { organization: 'Acme', token, ...owner } }),
    tells: [...SET_UP, 'user.signed_in'],
  }),
  'POST /v1/auth/signup': scenario({
    prepare: ({ reopen }) => reopen({ SIGNUP: 'open' }),
    act: ({ fetch }) =>
      fetch('/v1/auth/signup', { json: { email: 'new@example.com', password: TEST_PASSWORD } }),
    tells: ['organization.created', 'member.added', 'user.signed_in'],
  }),
  'users.create': scenario({
    act: ({ app }) =>
      app.act(createUser, {
        email: 'new@example.com',
        password: TEST_PASSWORD,
        organization: 'Acme',
        role: 'viewer',
      }),
    tells: ['member.added'],
  }),
  'orgs.create': scenario({
    act: ({ app }) => app.act(createOrganization, { name: 'Globex' }),
    tells: ['organization.created'],
  }),
  'orgs.set_plan': scenario({
    act: ({ app }) => app.act(setPlan, { organization: 'Acme', plan: 'pro' }),
    tells: ['billing.plan_changed'],
  }),
  'PUT /v1/organizations/:id/billing': scenario({
    prepare: ({ reopen }) => reopen({ PLAN_CHANGES: 'owner' }),
    act: ({ fetch, seed }) =>
      fetch(`/v1/organizations/${seed.organizationId}/billing`, {
        method: 'PUT',
        bearer: seed.bearer,
        json: { plan: 'pro', acceptLowerLimits: true },
      }),
    tells: ['billing.plan_changed'],
  }),
  'projects.create': scenario({
    act: ({ app }) => app.act(createProject, { organization: 'Acme', name: 'other' }),
    tells: ['project.created'],
  }),
  'projects.delete': scenario({
    act: ({ app, seed }) => app.act(deleteProject, { project: seed.projectId }),
    tells: ['project.deleted'],
  }),
  'keys.create': scenario({
    act: ({ app, seed }) => app.act(createKey, { project: seed.projectId, name: 'ci' }),
    tells: ['project.api_key_created'],
  }),
  'keys.rotate': scenario({
    act: ({ app, seed }) => app.act(rotateKey, { id: seed.keyId }),
    tells: ['project.api_key_rotated'],
  }),
  'keys.revoke': scenario({
    act: ({ app, seed }) => app.act(revokeKey, { id: seed.keyId }),
    tells: ['project.api_key_revoked'],
  }),
  'jobs.run': scenario({
    act: async ({ app }) => {
      const { modules } = await import('../../src/features.ts');
      const { runJobAction } = await import('../../src/core/jobs/index.ts');
      return app.act(
        runJobAction(() => modules),
        { name: 'expiry.delete_expired' },
      );
    },
    tells: ['job.started'],
  }),
  'POST /v1/quarantine/replay': scenario({
    prepare: async ({ fetch, seed }) => {
      await fetch('/v1/ingest', { apiKey: seed.apiKey, events: [{ provider: 'openai' }] });
      const page = await fetch(`/v1/quarantine?projectId=${seed.projectId}`, { bearer: seed.bearer });
      return ((await page.json()) as { lines: { id: string }[] }).lines[0]?.id;
    },
    act: ({ fetch, seed }, upTo) =>
      fetch(`/v1/quarantine/replay?projectId=${seed.projectId}`, {
        bearer: seed.bearer,
        json: { upTo, correction: { set: { model: 'gpt-4o' } } },
      }),
    tells: ['quarantine.replayed'],
  }),
  'POST /v1/quarantine/dismiss': scenario({
    prepare: async ({ fetch, seed }) => {
      await fetch('/v1/ingest', { apiKey: seed.apiKey, events: [{ provider: 'openai' }] });
      const page = await fetch(`/v1/quarantine?projectId=${seed.projectId}`, { bearer: seed.bearer });
      return ((await page.json()) as { lines: { id: string }[] }).lines[0]?.id;
    },
    act: ({ fetch, seed }, upTo) =>
      fetch(`/v1/quarantine/dismiss?projectId=${seed.projectId}`, { bearer: seed.bearer, json: { upTo } }),
    tells: ['quarantine.dismissed'],
  }),
  'POST /v1/quarantine/:lineId/replay': scenario({
    prepare: async ({ fetch, seed }) => {
      await fetch('/v1/ingest', { apiKey: seed.apiKey, events: [{ provider: 'openai' }] });
      const page = await fetch(`/v1/quarantine?projectId=${seed.projectId}`, { bearer: seed.bearer });
      return ((await page.json()) as { lines: { id: string }[] }).lines[0]?.id;
    },
    act: ({ fetch, seed }, id) =>
      fetch(`/v1/quarantine/${id}/replay?projectId=${seed.projectId}`, {
        bearer: seed.bearer,
        json: { event: { provider: 'openai', model: 'gpt-4o' } },
      }),
    tells: ['quarantine.replayed'],
  }),
};

const EVENTS = 'events are the data, not a change to the ledger';

export const unaudited: Unaudited = {
  'system.examine': 'tells the findings of doctor and changes nothing',
  'POST /v1/ingest': EVENTS,
  'POST /v1/otel': EVENTS,
  'POST /v1/otel/v1/traces': EVENTS,
  'POST /v1/traces': EVENTS,
  'POST /api/public/otel/v1/traces': EVENTS,
  'POST /otel/v1/traces': EVENTS,
  'POST /v1/traces/v1/traces': EVENTS,
  'POST /v1/otel/v1/traces/v1/traces': EVENTS,
  'POST /v1/traces/': EVENTS,
  'POST /v1/otel/': EVENTS,
  'events.check': 'it reads what is stored, and notes which of it is damaged',
  'POST /v1/metrics/query': 'it reads figures and changes nothing',
  'POST /v1/ai/explain': 'it reads figures and changes nothing',
  'POST /v1/ai/root-cause': 'it reads figures and changes nothing',
  'POST /v1/ai/query': 'it reads figures and changes nothing; the call of a model is audited like any',
  'POST /v1/metrics/queries': 'it reads figures and changes nothing',
  'POST /v1/auth/setup/check': 'it looks at a link and changes nothing',
  'POST /v1/otel/inspect': 'it reads what it is sent and changes nothing',
  'server.notices': 'it reads what the server noticed and changes nothing',
};
