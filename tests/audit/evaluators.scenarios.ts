import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/evaluators${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const evaluator = { name: 'Source', kind: 'regex', scoreName: 'cites', config: { pattern: 'https?://' } };
const made = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', '', evaluator)).json()) as { id: string }).id;

export const scenarios: AuditScenarios = {
  'POST /v1/evaluators': scenario({
    act: (world) => send(world, 'POST', '', evaluator),
    tells: ['evaluator.created'],
  }),
  'PUT /v1/evaluators/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'PUT', `/${id}`, { ...evaluator, config: { pattern: 'doi:' } }),
    tells: ['evaluator.updated', 'evaluator.version_created'],
  }),
  'DELETE /v1/evaluators/:id': scenario({
    prepare: made,
    act: (world, id) => send(world, 'DELETE', `/${id}`),
    tells: ['evaluator.deleted'],
  }),
};

export const unaudited: Unaudited = {
  'evaluators.measure': 'it stores nothing; each call of the judge is audited like that of any model',
  'POST /v1/evaluators/measure':
    'it stores nothing; each call of the judge is audited like that of any model',
  'POST /v1/evaluators/test': 'it stores nothing; the call of a judge is audited like that of any model',
};
