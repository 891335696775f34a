import { expect, test } from 'bun:test';
import { createProject } from '../../../src/core/projects/index.ts';
import { openTestApp } from '../../helpers/app.ts';

test('usage by project: this month only, highest cost first, nothing of another organization', async () => {
  const world = await openTestApp();
  const { seed, app, clock } = world;
  const other = await world.addTenant();
  await app.act(createProject, { organization: seed.organizationId, name: 'quiet' });
  const call = (day: string, more: object = {}) => ({
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 1_000_000,
    timestamp: `2026-${day}T00:00:00.000Z`,
    ...more,
  });
  const events = [
    call('05-31'),
    call('06-01'),
    call('06-14', { status: 'error' }),
    call('06-14', { model: 'unheard-of' }),
  ];
  await world.fetch('/v1/ingest', { apiKey: seed.apiKey, events });
  await world.fetch('/v1/ingest', { apiKey: other.apiKey, events });
  clock.advance(60_000);
  const read = async (organization: string, bearer: string) =>
    world.fetch(`/v1/organizations/${organization}/usage/projects`, { bearer });
  const reply = await read(seed.organizationId, seed.bearer);
  expect(await reply.json()).toEqual({
    month: '2026-06',
    projects: [
      { projectId: seed.projectId, name: 'Acme project', calls: 3, errors: 1, cost: 5, unpriced: 1 },
      { projectId: expect.any(String), name: 'quiet', calls: 0, errors: 0, cost: 0, unpriced: 0 },
    ],
  });
  expect((await read(other.organizationId, seed.bearer)).status).toBe(403);
  await world.close();
});
