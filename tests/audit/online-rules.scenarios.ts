import { createEvaluator } from '../../src/core/evaluators/change-evaluator.ts';
import { findProject } from '../../src/core/projects/index.ts';
import { operatorScope } from '../../src/core/tenancy/index.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/online-rules${path}?projectId=${seed.projectId}`, {
    method,
    bearer: seed.bearer,
    ...(json === undefined ? {} : { json }),
  });

/** A rule's body; its evaluator and the definition of its score exist. */
async function prepare(world: TestApp): Promise<{ name: string; evaluatorId: string; sampleRate: number }> {
  const scope = operatorScope(await findProject(world.ctx, world.seed.projectId));
  const { id } = await createEvaluator(
    world.ctx,
    { scope, actor: { kind: 'operator' }, by: 'operator', role: 'owner' },
    { name: 'e', description: '', kind: 'latency', scoreName: 'fast', config: { maxMs: 100 } },
  );
  await world.fetch(`/v1/score-definitions?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: { name: 'fast', type: 'boolean' },
  });
  return { name: 'r', evaluatorId: id, sampleRate: 0.1 };
}
async function made(world: TestApp): Promise<{ id: string; body: object }> {
  const body = await prepare(world);
  const { id } = (await (await send(world, 'POST', '', body)).json()) as { id: string };
  return { id, body };
}

export const scenarios: AuditScenarios = {
  'POST /v1/online-rules': scenario({
    prepare,
    act: (world, body) => send(world, 'POST', '', body),
    tells: ['online_rule.created'],
  }),
  'PUT /v1/online-rules/:id': scenario({
    prepare: made,
    act: (world, { id, body }) => send(world, 'PUT', `/${id}`, { ...body, enabled: false }),
    tells: ['online_rule.updated'],
  }),
  'DELETE /v1/online-rules/:id': scenario({
    prepare: made,
    act: (world, { id }) => send(world, 'DELETE', `/${id}`),
    tells: ['online_rule.deleted'],
  }),
  'POST /v1/online-rules/:id/backfill': scenario({
    prepare: async (world) => {
      const events = [{ provider: 'openai', model: 'gpt-4o' }];
      await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
      return made(world);
    },
    act: (world, { id }) =>
      send(world, 'POST', `/${id}/backfill`, { start: '2026-06-01T00:00:00Z', end: '2026-07-01T00:00:00Z' }),
    tells: ['online_rule.backfilled'],
  }),
  'rules.create': scenario({
    prepare,
    act: (world, rule) => act(world, 'rules.create', { project: world.seed.projectId, rule }),
    tells: ['online_rule.created'],
  }),
  'rules.enable': scenario({
    prepare: made,
    act: (world) => act(world, 'rules.enable', { project: world.seed.projectId, rule: 'r', enabled: false }),
    tells: ['online_rule.updated'],
  }),
  'rules.backfill': scenario({
    prepare: async (world) => {
      const events = [{ provider: 'openai', model: 'gpt-4o' }];
      await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
      return made(world);
    },
    act: (world) =>
      act(world, 'rules.backfill', {
        project: world.seed.projectId,
        rule: 'r',
        window: { start: '2026-06-01T00:00:00Z', end: '2026-07-01T00:00:00Z' },
      }),
    tells: ['online_rule.backfilled'],
  }),
  'rules.delete': scenario({
    prepare: made,
    act: (world) => act(world, 'rules.delete', { project: world.seed.projectId, rule: 'r' }),
    tells: ['online_rule.deleted'],
  }),
};
