import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const MAY = { month: '2026-05', by: 'project' };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: object): Promise<Response> =>
  fetch(`/v1/organizations/${seed.organizationId}/${path}`, {
    method,
    bearer: seed.bearer,
    ...(json !== undefined && { json }),
  });
const define = (world: TestApp, more: object = {}): Promise<Response> =>
  send(world, 'PUT', 'statement-definitions', { by: 'project', ...more });

/** A definition, and a call of May. */
async function billed(world: TestApp): Promise<void> {
  await define(world);
  const { apiKey } = world.seed;
  const timestamp = '2026-05-03T00:00:00Z';
  await world.fetch('/v1/ingest', {
    apiKey,
    events: [{ timestamp, provider: 'openai', model: 'gpt-4o', input_tokens: 5 }],
  });
}

export const scenarios: AuditScenarios = {
  'PUT /v1/organizations/:id/statement-definitions': scenario({
    prepare: (world) => define(world),
    act: (world) => define(world, { markupPercent: 20 }),
    tells: ['statement_definition.updated'],
  }),
  'DELETE /v1/organizations/:id/statement-definitions': scenario({
    prepare: (world) => define(world),
    act: (world) => send(world, 'DELETE', 'statement-definitions?by=project'),
    tells: ['statement_definition.deleted'],
  }),
  'POST /v1/organizations/:id/statements/close': scenario({
    prepare: billed,
    act: (world) => send(world, 'POST', 'statements/close', { ...MAY, confirm: MAY.month }),
    tells: ['statement.closed'],
  }),
  'statements.create': scenario({
    act: (world) => act(world, 'statements.create', { organization: 'Acme', definition: { by: 'key' } }),
    tells: ['statement_definition.created'],
  }),
  'statements.close': scenario({
    prepare: billed,
    act: (world) => act(world, 'statements.close', { organization: 'Acme', ...MAY }),
    tells: ['statement.closed'],
  }),
};
