import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { removeAction } from '../../../src/features/reconcile/kept/actions.ts';
import type { Kept, KeptResult } from '../../../src/features/reconcile/kept/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

type Init = Parameters<TestApp['fetch']>[1];
const send = (path: string, init: Init = {}, projectId = world.seed.projectId): Promise<Response> => {
  const url = `/v1/reconciliations${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`;
  return world.fetch(url, { bearer: world.seed.bearer, ...init });
};
const keep = async (month: string, query = ''): Promise<KeptResult> => {
  const body = `date,model,calls,cost_usd,account\n${month}-01,gpt-4o,1,1,a\n${month}-02,gpt-4o,1,2,b\n`;
  const response = await send(`?name=${month}.csv${query}`, { method: 'POST', body });
  expect(response.status).toBe(201);
  return (await response.json()) as KeptResult;
};
const list = async (query = ''): Promise<Kept[]> =>
  ((await (await send(query)).json()) as { reconciliations: Kept[] }).reconciliations;

describe('kept comparisons', () => {
  test('are listed by month, read again as they were, changed in their note and deleted', async () => {
    const may = await keep('2026-05', '&note=first');
    const april = await keep('2026-04', '&account=b');
    expect(may).toMatchObject({
      ...{ month: '2026-05', name: '2026-05.csv', note: 'first', layout: 'generic' },
      ...{ from: '2026-05-01', to: '2026-05-02', invoiceUsd: 3, booksUsd: null, driftUsd: -3 },
      ...{ lines: 2, differing: 2 },
    });
    expect(april).toMatchObject({ invoiceUsd: 2, lines: 1 });
    expect((await list()).map(({ id }) => id)).toEqual([may.id, april.id]);
    expect((await list('?month=2026-04')).map(({ id }) => id)).toEqual([april.id]);
    // What is stored later changes nothing of it.
    const event = { timestamp: '2026-05-01T10:00:00Z', provider: 'openai', model: 'gpt-4o', input_tokens: 9 };
    await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [event] });
    expect((await (await send(`/${may.id}`)).json()) as KeptResult).toEqual(may);
    const noted = await send(`/${may.id}`, { method: 'PUT', json: { note: 'paid' } });
    expect(await noted.json()).toMatchObject({ id: may.id, note: 'paid' });
    expect((await send(`/${may.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await send(`/${may.id}`)).status).toBe(404);
    expect((await send(`/${may.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await send(`/${may.id}`, { method: 'PUT', json: { note: '' } })).status).toBe(404);
  });

  test('are of one project: another’s are not found by their id', async () => {
    const kept = await keep('2026-03');
    const other = await world.addTenant();
    const asOther = (init: Init = {}) =>
      send(`/${kept.id}`, { bearer: other.bearer, ...init }, other.projectId);
    expect((await asOther()).status).toBe(404);
    expect((await asOther({ method: 'PUT', json: { note: 'x' } })).status).toBe(404);
    expect((await asOther({ method: 'DELETE' })).status).toBe(404);
    const acted = world.app.act(removeAction, { project: other.projectId, id: kept.id });
    await expect(acted).rejects.toThrow('There is no reconciliation');
    expect((await list()).map(({ id }) => id)).toContain(kept.id);
  });

  test('hold the lines that differ most, and at most 200 of them are kept', async () => {
    const rows = Array.from({ length: 1_200 }, (_, i) => `2026-02-01,model-${i},1,${i}`);
    const body = `date,model,calls,cost_usd\n${rows.join('\n')}`;
    const kept = (await (await send('?name=many', { method: 'POST', body })).json()) as KeptResult;
    expect(kept.lines).toBe(1_200);
    expect(kept.result.lines).toHaveLength(1_000);
    expect(kept.result.lines[0]?.model).toBe('model-1199');
    await world.ctx.db.sql.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
       INSERT INTO reconciliations SELECT 'rec_' || i, organization_id, project_id, month, name, note, layout, from_day,
         to_day, invoice_nano, books_nano, drift_nano, lines, differing, result, created_at, updated_at
       FROM reconciliations, n WHERE id = '${kept.id}'`,
    );
    const full = await send('?name=one+too+many', { method: 'POST', body: 'date,model\n2026-02-01,x\n' });
    expect([full.status, ((await full.json()) as { error: string }).error]).toEqual([
      409,
      'A project keeps at most 200 reconciliations; delete one first',
    ]);
  });

  test('nonsense is refused with what it should be', async () => {
    for (const [path, init] of [
      ['?month=2026-13', {}],
      ['?name=', { method: 'POST', body: 'date,model\n2026-02-01,x\n' }],
      ['?name=x', { method: 'POST', body: 'a,b\n1,2' }],
      ['/nothing', { method: 'PUT', json: { note: 'x'.repeat(2_001) } }],
    ] as const)
      expect([path, (await send(path, init)).status]).toEqual([path, 400]);
  });
});
