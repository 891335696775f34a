import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const token = { name: 'ci', scopes: ['read'] };

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/access-tokens${path}?organizationId=${seed.organizationId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', token)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/access-tokens': scenario({
    act: (world) => send(world, 'POST', '', token),
    tells: ['access_token.created'],
  }),
  'DELETE /v1/access-tokens/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['access_token.revoked'],
  }),
  'access-tokens.create': scenario({
    act: (world) => act(world, 'access-tokens.create', { organization: 'Acme', ...token }),
    tells: ['access_token.created'],
  }),
  'access-tokens.revoke': scenario({
    prepare: made,
    act: (world, id) => act(world, 'access-tokens.revoke', { id }),
    tells: ['access_token.revoked'],
  }),
};
