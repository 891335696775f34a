import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { listDeliveries } from '../../../src/core/deliveries/index.ts';
import { eventsOf } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import { operatorScope } from '../../../src/core/tenancy/index.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import type { Statement, Statements } from '../../../src/features/statements/contract.ts';
import { closeMonthsJob, keepDaysJob } from '../../../src/features/statements/jobs.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

const NO_SIGNAL = new AbortController().signal;
let world: TestApp;
let bearer: string;
beforeEach(async () => {
  world = await openTestApp();
  bearer = world.seed.bearer;
});
afterEach(() => world.close());

type Reply<T> = { readonly status: number; readonly body: T & { readonly error: string } };
async function ask<T>(
  path: string,
  json?: object,
  method = json === undefined ? 'GET' : 'POST',
): Promise<Reply<T>> {
  const response = await world.fetch(`/v1/organizations/${world.seed.organizationId}/${path}`, {
    method,
    bearer,
    ...(json !== undefined && { json }),
  });
  return { status: response.status, body: (await response.json()) as Reply<T>['body'] };
}

/** `cost_usd` is what senders state, so that amounts are easy to follow. */
const call = (day: string, customer: string | null, cost_usd: number, more: object = {}) => ({
  timestamp: `${day}T10:00:00Z`,
  provider: 'openai',
  model: 'gpt-4o',
  input_tokens: 10,
  cost_usd,
  ...(customer !== null && { tags: { customer } }),
  ...more,
});
const ingest = async (...events: readonly object[]): Promise<void> => {
  const reply = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  expect(reply.status).toBe(202);
};
const define = (settings: object = {}) =>
  ask('statement-definitions', { by: 'tag:customer', ...settings }, 'PUT');
const MAY = 'statements?month=2026-05&by=tag:customer';
const close = (month = '2026-05') =>
  ask<Statements>('statements/close', { month, by: 'tag:customer', confirm: month });
const party = async (name: string, month = '2026-05'): Promise<Statement> =>
  (await ask<Statement>(`statements/party?month=${month}&by=tag:customer&party=${name}`)).body;
const amounts = ({ lines }: Statement) => lines.map(({ type, amount }) => [type, amount]);

describe('amounts', () => {
  test('have markup, fees, a minimum and a currency, and lines add up to the total', async () => {
    await define({
      markupPercent: 20,
      currency: 'EUR',
      rate: '0.9',
      fees: [{ name: 'Platform', amount: '3' }],
      minimum: '20',
    });
    await ingest(call('2026-05-02', 'a', 100), call('2026-05-02', 'b', 1), call('2026-05-03', null, 0.005));
    expect(amounts(await party('a'))).toEqual([
      ['usage', '90.00'],
      ['markup', '18.00'],
      ['fee', '3.00'],
    ]);
    expect(amounts(await party('b'))).toEqual([
      ['usage', '0.90'],
      ['markup', '0.18'],
      ['fee', '3.00'],
      ['minimum', '15.92'],
    ]);
    const { body } = await ask<Statements>(`${MAY}&lines=true`);
    expect(body.statements.map(({ name, total }) => [name, total])).toEqual([
      ['a', '111.00'],
      ['b', '20.00'],
      ['Calls without tag:customer', '0.01'],
    ]);
    expect([body.costNano, body.total, body.count]).toEqual([101_005_000_000, '131.01', 3]);
  });

  test('of a currency without decimals are whole, and what is unpriced is in no amount', async () => {
    await define({ currency: 'JPY', rate: '150.25' });
    await ingest(call('2026-05-02', 'a', 0.01), {
      ...call('2026-05-02', 'a', 0),
      cost_usd: undefined,
      model: 'unheard-of',
      provider: 'acme',
    });
    const { total, unpriced, lines } = await party('a');
    expect([total, unpriced]).toEqual(['2', 1]);
    expect(lines.find(({ kind }) => kind === 'unpriced')).toMatchObject({ amountNano: null, amount: '0' });
  });

  test('are costs in USD without a definition', async () => {
    await ingest(call('2026-05-02', 'a', 1.25));
    const { body } = await ask<Statements>(MAY);
    expect(body).toMatchObject({ defined: false, status: 'open', currency: 'USD', total: '1.25' });
  });
});

describe('a month', () => {
  test('is closed in order, after its end, with a definition and typed confirmation', async () => {
    await ingest(call('2026-05-02', 'a', 1));
    expect((await close()).status).toBe(404);
    await define();
    const unconfirmed = { month: '2026-05', by: 'tag:customer', confirm: 'yes' };
    expect((await ask('statements/close', unconfirmed)).status).toBe(400);
    expect((await close('2026-06')).body.error).toContain('2026-06 has not ended');
    expect((await close()).status).toBe(200);
    expect((await close()).body.error).toContain('2026-05 is closed');
    expect((await ask('statement-definitions?by=tag:customer', undefined, 'DELETE')).status).toBe(409);
    world.clock.set(Date.UTC(2026, 7, 2));
    bearer = await world.signIn(world.seed.email);
    expect((await close('2026-07')).body.error).toContain('2026-06 is open');
  });

  test('keeps what it says when the definition changes, and corrects later at its own markup', async () => {
    await define({ markupPercent: 10 });
    await ingest(call('2026-05-02', 'a', 10));
    await close();
    const before = await party('a');
    await define({ markupPercent: 50 });
    await ingest(call('2026-05-09', 'a', 5), call('2026-06-01', 'a', 1));
    expect(await party('a')).toEqual(before);
    world.clock.set(Date.UTC(2026, 6, 2));
    bearer = await world.signIn(world.seed.email);
    await close('2026-06');
    const june = await party('a', '2026-06');
    expect(amounts(june)).toEqual([
      ['usage', '1.00'],
      ['markup', '0.50'],
      ['correction', '5.00'],
      ['correctionMarkup', '0.50'],
    ]);
    expect([june.costNano, june.correctionsNano, june.number]).toEqual([1e9, 5e9, '2026-06-0001']);
    expect(await party('a')).toEqual(before);
    const csv = await world.fetch(
      `/v1/organizations/${world.seed.organizationId}/statements/csv?month=2026-06&by=tag:customer`,
      { bearer },
    );
    expect((await csv.text()).split('\r\n').map((row) => row.split(',').slice(0, 6))).toEqual([
      ['number', 'month', 'party', 'name', 'type', 'of_month'],
      ['2026-06-0001', '2026-06', 'a', 'a', 'usage', '2026-06'],
      ['2026-06-0001', '2026-06', 'a', 'a', 'markup', '2026-06'],
      ['2026-06-0001', '2026-06', 'a', 'a', 'correction', '2026-05'],
      ['2026-06-0001', '2026-06', 'a', 'a', 'correctionMarkup', '2026-05'],
      [''],
    ]);
  });

  test('whose events retention deleted keeps its parties, and is no correction', async () => {
    await define();
    const { no } = await findProject(world.ctx, world.seed.projectId);
    const scope = operatorScope(await findProject(world.ctx, world.seed.projectId));
    await ingest(call('2026-05-02', 'a', 10), call('2026-05-20', 'b', 2));
    await world.ctx.use(sealerService).sealAll(no);
    await keepDaysJob.run(world.ctx, NO_SIGNAL);
    await eventsOf(world.ctx).deleteBefore(scope, Date.UTC(2026, 4, 10), { signal: NO_SIGNAL });
    const { body } = await close();
    expect(body.statements.map(({ name, costNano }) => [name, costNano])).toEqual([
      ['a', 10e9],
      ['b', 2e9],
    ]);
    await eventsOf(world.ctx).deleteBefore(scope, TEST_NOW, { signal: NO_SIGNAL });
    world.clock.set(Date.UTC(2026, 6, 2));
    bearer = await world.signIn(world.seed.email);
    expect((await close('2026-06')).body).toMatchObject({ count: 0, correctionsNano: 0 });
  });
});

describe('the job', () => {
  test('closes months that are due, and hands each statement once to the channels', async () => {
    const channel = { name: 'finance', kind: 'webhook', config: { url: 'https://example.com/hook' } };
    const made = await world.fetch(`/v1/channels?organizationId=${world.seed.organizationId}`, {
      bearer,
      json: channel,
    });
    const { id } = (await made.json()) as { id: string };
    world.clock.set(Date.UTC(2026, 4, 31));
    bearer = await world.signIn(world.seed.email);
    await define({ closeDay: 3, channelIds: [id] });
    await ingest(call('2026-05-02', 'a', 1), call('2026-05-02', 'b', 2));
    world.clock.set(Date.UTC(2026, 5, 2, 23));
    expect(await closeMonthsJob.run(world.ctx, NO_SIGNAL)).toEqual({});
    world.clock.set(Date.UTC(2026, 5, 3));
    expect(await closeMonthsJob.run(world.ctx, NO_SIGNAL)).toEqual({ closed: 1, sent: 2 });
    expect(await closeMonthsJob.run(world.ctx, NO_SIGNAL)).toEqual({});
    const { deliveries } = await listDeliveries(world.ctx, world.seed.organizationId, { limit: 10 });
    expect(deliveries.map(({ type, title }) => [type, title]).sort()).toEqual([
      ['statement.closed', 'Statement 2026-05-0001 of b for 2026-05: 2.00 USD'],
      ['statement.closed', 'Statement 2026-05-0002 of a for 2026-05: 1.00 USD'],
    ]);
  });
});

test('no statement that is closed after an erasure names the user', async () => {
  const by = 'user';
  await ask('statement-definitions', { by }, 'PUT');
  await ingest(
    call('2026-05-02', null, 4, { user_id: 'grace' }),
    call('2026-05-02', null, 1, { user_id: 'ada' }),
  );
  const may = (await ask<Statements>('statements/close', { month: '2026-05', by, confirm: '2026-05' })).body;
  expect(may.statements.map(({ party: name }) => name)).toEqual(['grace', 'ada']);
  const request = await world.fetch(`/v1/projects/${world.seed.projectId}/erasures`, {
    bearer,
    json: { userId: 'grace' },
  });
  expect(request.status).toBe(202);
  await erasureJob.run(world.ctx, NO_SIGNAL);
  world.clock.set(Date.UTC(2026, 6, 1) + DAY_MS);
  bearer = await world.signIn(world.seed.email);
  const june = (await ask<Statements>('statements/close', { month: '2026-06', by, confirm: '2026-06' })).body;
  expect(june.statements.map(({ party: name, correctionsNano }) => [name, correctionsNano])).toEqual([
    ['erased user', -4e9],
  ]);
  expect((await ask<Statements>('statements?month=2026-05&by=user')).body.statements).toEqual(may.statements);
});
