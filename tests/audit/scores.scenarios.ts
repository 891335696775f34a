import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });
const definition = { name: 'tone', type: 'category', categories: ['kind', 'rude'] };
const defined = async (world: TestApp): Promise<string> =>
  ((await (await send(world, 'POST', 'score-definitions', definition)).json()) as { id: string }).id;
const score = { name: 'helpful', value: true, traceId: 't1', scoreId: 'one' };

export const scenarios: AuditScenarios = {
  'POST /v1/score-definitions': scenario({
    act: (world) => send(world, 'POST', 'score-definitions', definition),
    tells: ['score_definition.created'],
  }),
  'PUT /v1/score-definitions/:id': scenario({
    prepare: defined,
    act: (world, id) => send(world, 'PUT', `score-definitions/${id}`, { ...definition, description: 'Tone' }),
    tells: ['score_definition.updated'],
  }),
  'DELETE /v1/score-definitions/:id': scenario({
    prepare: defined,
    act: (world, id) => send(world, 'DELETE', `score-definitions/${id}`),
    tells: ['score_definition.deleted'],
  }),
  'POST /v1/scores': scenario({
    act: (world) => send(world, 'POST', 'scores', score),
    tells: ['score.written'],
  }),
  'DELETE /v1/scores/:id': scenario({
    prepare: (world) => send(world, 'POST', 'scores', score),
    act: (world) => send(world, 'DELETE', 'scores/one'),
    tells: ['score.deleted'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/sdk/scores': 'what clients send is not audited request by request, like events',
};
