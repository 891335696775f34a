import { expect } from 'bun:test';
import { formatInstant } from '../../src/lib/time.ts';
import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, act, scenario } from '../helpers/audit.ts';

const send = ({ fetch, seed }: TestApp, path: string, json?: unknown): Promise<Response> =>
  fetch(`/v1/ai/recommendations${path}?projectId=${seed.projectId}`, {
    bearer: seed.bearer,
    ...(json === undefined ? {} : { method: 'POST', json }),
  });

/** Calls that failed and were paid, and what is recommended about them. */
async function found(world: TestApp): Promise<string> {
  const events = Array.from({ length: 50 }, () => ({
    provider: 'openai',
    model: 'gpt-4.1',
    timestamp: formatInstant(world.clock.now() - 60_000),
    input_tokens: 20_000,
    output_tokens: 2_000,
    status: 'timeout',
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  const { recommendations } = (await (await send(world, '')).json()) as { recommendations: { id: string }[] };
  return recommendations[0]?.id ?? '';
}
const dismissed = async (world: TestApp): Promise<string> => {
  const id = await found(world);
  await send(world, `/${id}/dismiss`, { reason: 'known' });
  return id;
};

export const scenarios: AuditScenarios = {
  'POST /v1/ai/recommendations/:id/dismiss': scenario({
    prepare: found,
    act: (world, id) => send(world, `/${id}/dismiss`, { reason: 'known' }),
    tells: ['copilot.recommendation_dismissed'],
  }),
  'POST /v1/ai/recommendations/:id/apply': scenario({
    prepare: found,
    act: (world, id) => send(world, `/${id}/apply`, { as: 'change' }),
    tells: ['copilot.recommendation_applied'],
  }),
  'POST /v1/ai/recommendations/:id/reopen': scenario({
    prepare: dismissed,
    act: (world, id) => send(world, `/${id}/reopen`, {}),
    tells: ['copilot.recommendation_reopened'],
  }),
  'recommendations.dismiss': scenario({
    prepare: found,
    act: (world, id) =>
      act(world, 'recommendations.dismiss', { project: world.seed.projectId, id, reason: 'known' }),
    tells: ['copilot.recommendation_dismissed'],
  }),
  'recommendations.apply': scenario({
    prepare: found,
    act: (world, id) =>
      act(world, 'recommendations.apply', { project: world.seed.projectId, id, as: 'change' }),
    tells: ['copilot.recommendation_applied'],
  }),
  'recommendations.reopen': scenario({
    prepare: dismissed,
    act: (world, id) => act(world, 'recommendations.reopen', { project: world.seed.projectId, id }),
    tells: ['copilot.recommendation_reopened'],
  }),
};
