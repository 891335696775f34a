import { afterAll, beforeAll, expect, test } from 'bun:test';
import { setPlan } from '../../src/core/orgs/index.ts';
import { setPricesAction } from '../../src/features/prices/actions.ts';
import { openTestApp, type Tenant, type TestApp } from '../helpers/app.ts';

let app: TestApp;
let other: Tenant;
beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
});
afterAll(() => app.close());

type Sent = { readonly status: number; readonly accepted?: number; readonly error?: string };
const ingest = async (of: Tenant, events: readonly object[]): Promise<Sent> => {
  const response = await app.fetch('/v1/ingest', { apiKey: of.apiKey, events });
  return { ...((await response.json()) as object), status: response.status };
};
const total = async (of: Tenant): Promise<number> => {
  const response = await app.fetch(`/v1/quarantine?projectId=${of.projectId}`, { bearer: of.bearer });
  return ((await response.json()) as { total: number }).total;
};

test('2,000 price patterns are refused, and 500 hostile ones price only the calls of their organization', async () => {
  const organization = app.seed.organizationId;
  const pattern = (i: number) =>
    ({
      match: 'glob',
      model: `*${'a'.repeat(140)}b*${String(i)}`,
      rates: { input: 1, output: 1 },
    }) as const;
  const act = (from: number, to: number) =>
    app.app.act(setPricesAction, {
      organization,
      prices: Array.from({ length: to - from }, (_, i) => pattern(from + i)),
    });
  expect(act(0, 2_000)).rejects.toThrow('500');
  await act(0, 499);
  expect(act(499, 501)).rejects.toThrow('at most 500 prices');
  const own = { match: 'glob', model: 'a*', rates: { input: 1, output: 1 } } as const;
  await app.app.act(setPricesAction, { organization, prices: [own] });
  const calls = Array.from({ length: 100 }, (_, i) => ({
    provider: 'own',
    model: `${'a'.repeat(290)}${i}`,
    input_tokens: 1_000_000,
  }));
  const before = process.cpuUsage();
  expect(await ingest(app.seed, calls)).toMatchObject({ status: 202, accepted: 100 });
  // A tenth of a second; a search that backtracks takes longer than anybody waits.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  expect(await ingest(other, calls)).toMatchObject({ status: 202, accepted: 100 });
  const costStatus = async (of: Tenant): Promise<unknown> => {
    const path = `/v1/events?limit=1&projectId=${of.projectId}`;
    const response = await app.fetch(path, { bearer: of.bearer });
    return ((await response.json()) as { events: { cost_status: string }[] }).events[0]?.cost_status;
  };
  expect([await costStatus(app.seed), await costStatus(other)]).toEqual(['priced', 'unpriced']);
});

test('lines that are refused while the quota is used up stay within the quarantine of their project', async () => {
  const spent = await app.addTenant('Spent');
  await app.app.act(setPlan, { organization: 'Spent', plan: 'free', monthlyEvents: 1 });
  const good = { provider: 'openai', model: 'gpt-4o', input_tokens: 1 };
  const bad = { ...good, status: 'fine' };
  expect(await ingest(spent, [good, bad])).toMatchObject({ status: 202, accepted: 1 });
  expect(await ingest(other, [good, bad])).toMatchObject({ status: 202, accepted: 1 });
  const lines = Array.from({ length: 100 }, () => bad);
  for (let i = 0; i < 106; i++) expect((await ingest(spent, lines)).status).toBe(400);
  expect(await total(spent)).toBeLessThanOrEqual(10_500);
  expect(await total(other)).toBe(1);
});
