import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario, type Unaudited } from '../helpers/audit.ts';

const guardrail = { name: 'pii', checks: [{ kind: 'pii', config: {}, action: 'redact' }] };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/guardrails${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', guardrail)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/guardrails': scenario({
    act: (world) => send(world, 'POST', '', guardrail),
    tells: ['guardrail.created'],
  }),
  'PUT /v1/guardrails/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { ...guardrail, failureMode: 'closed' }),
    tells: ['guardrail.updated'],
  }),
  'DELETE /v1/guardrails/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['guardrail.deleted'],
  }),
  'guardrails.create': scenario({
    act: (world) => act(world, 'guardrails.create', { project: world.seed.projectId, guardrail }),
    tells: ['guardrail.created'],
  }),
  'guardrails.delete': scenario({
    prepare: made,
    act: (world, id) => act(world, 'guardrails.delete', { project: world.seed.projectId, id }),
    tells: ['guardrail.deleted'],
  }),
};

const EVENTS = 'the outcome is an event, and nothing else is kept';

export const unaudited: Unaudited = {
  'POST /v1/guardrails/check': EVENTS,
  'POST /v1/sdk/guardrails/check': EVENTS,
  'POST /v1/guardrails/try': 'it keeps nothing',
};
