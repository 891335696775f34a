import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { SimulationDetail } from '../../../src/features/simulations/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

/** How a header names a secret. */
const secret = (name: string): string => `\${${name}}`;
const target = (headers: Record<string, string>) => ({
  kind: 'http',
  url: 'https://agent.example.com/chat',
  headers,
});

test('viewers see no value of a header but the names of secrets; members see the suite as it was written', async () => {
  const suite = {
    name: 'Support',
    target: target({
      authorization: 'Bearer sk-plain-1',
      'x-key': `Bearer ${secret('AGENT_KEY')}`,
      'x-part': `sk-plain-2${secret('REST')}`,
    }),
    scenarios: [{ name: 'Refund', script: ['Hello'], target: target({ cookie: 'session=sk-plain-3' }) }],
  };
  const path = `/v1/simulations?projectId=${world.seed.projectId}`;
  const made = await world.fetch(path, { json: { suite }, bearer: world.seed.bearer });
  expect(made.status).toBe(201);
  const { id, source } = (await made.json()) as SimulationDetail;
  const read = async (role: 'member' | 'viewer'): Promise<SimulationDetail> => {
    const { bearer } = await world.addUser(role);
    const reply = await world.fetch(`/v1/simulations/${id}?projectId=${world.seed.projectId}`, { bearer });
    return (await reply.json()) as SimulationDetail;
  };
  expect(await read('member')).toMatchObject({
    source,
    suite: { target: { headers: suite.target.headers } },
  });
  const seen = await read('viewer');
  expect(JSON.stringify(seen)).not.toContain('sk-plain');
  expect(seen.suite).toMatchObject({
    target: {
      headers: { authorization: '(hidden)', 'x-key': `Bearer ${secret('AGENT_KEY')}`, 'x-part': '(hidden)' },
    },
    scenarios: [{ target: { headers: { cookie: '(hidden)' } } }],
  });
  expect(Bun.YAML.parse(seen.source)).toEqual(seen.suite);
});
