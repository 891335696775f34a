import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventsOf, START } from '../../../../src/core/events/index.ts';
import { ofProject, operatorScope } from '../../../../src/core/tenancy/index.ts';
import { setPricesAction } from '../../../../src/features/prices/actions.ts';
import {
  closeStatementsAction,
  createStatementsAction,
} from '../../../../src/features/statements/actions.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../../helpers/app.ts';
import { randomBelow } from '../../../helpers/random.ts';
import { checkFocus, type Row, UNPRICED_DEVIATIONS } from './check-focus.ts';
import { billedOf, nanoOf, readFocus, sums } from './read-focus.ts';

const random = randomBelow();
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const start = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);
const MONTHS = ['2026-04', '2026-05', '2026-06', '2026-07'] as const;

let world: TestApp;
let bearer: string;
beforeAll(async () => {
  world = await openTestApp({ now: start('2026-05') + 5 * DAY_MS, rateLimits: false, checkReplies: false });
  bearer = world.seed.bearer;
});
afterAll(() => world.close());

/** Sends calls of the first days of a month. */
async function send(month: string, count: number, days = 28): Promise<void> {
  const call = (): object => ({
    timestamp: new Date(start(month) + random(days * DAY_MS)).toISOString(),
    provider: 'openai',
    model: oneOf(['gpt-4o', 'gpt-4o-mini', 'unheard-of']),
    input_tokens: 1 + random(50_000),
    output_tokens: random(2_000),
    tags: oneOf([null, { team: 'a' }, { team: 'b' }]),
    ...(random(8) === 0 ? { cost_usd: random(10 ** 9) / 1e9 } : {}),
  });
  const events = Array.from({ length: count }, call);
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
}

/** Sets another price and applies it to the stored calls of a model. */
async function reprice(model: string): Promise<void> {
  const rates = { input: 1 + random(9), output: 1 + random(30) };
  const prices = [{ provider: 'openai', model, rates }];
  await world.app.act(setPricesAction, { organization: 'Acme', prices });
  const { projectId: id, organizationId } = world.seed;
  const scope = operatorScope({ id, no: 1, organizationId });
  const calls = { from: 0, to: world.clock.now(), model, unpricedOnly: false, clientCosts: false };
  const { pricesVersion } = await eventsOf(world.ctx).previewReprice(scope, calls, {
    cursor: START,
    pricesVersion: null,
  });
  const change = { kind: 'reprice', id: crypto.randomUUID(), calls, pricesVersion } as const;
  for (let cursor: string | null = START; cursor !== null; )
    cursor = (await eventsOf(world.ctx).change(scope, change, { cursor, rows: 100 })).next;
}

const close = (month: string): Promise<unknown> =>
  world.app.act(closeStatementsAction, { organization: 'Acme', month, by: 'project' });

/** The dataset of a month, which follows the specification. */
async function monthOf(month: string): Promise<Row[]> {
  const { rows } = await readFocus(world, { ...world.seed, bearer }, month);
  const unexpected = checkFocus(rows).filter(
    ({ row, rule }) =>
      !UNPRICED_DEVIATIONS.includes(rule) ||
      !['client', 'unpriced', 'summed'].includes(rows[row]?.x_CostStatus ?? ''),
  );
  expect(unexpected).toEqual([]);
  return rows;
}

/** Of each month, one after the other: an organization has two exports at once. */
async function months(): Promise<Row[][]> {
  const found: Row[][] = [];
  for (const month of MONTHS) found.push(await monthOf(month));
  return found;
}

/** What a month bills by model, price and bucket. */
const linesOf = (rows: readonly Row[]): Map<string, bigint> =>
  sums(
    rows,
    ({ ChargeClass, ChargePeriodStart, ...row }) =>
      JSON.stringify([
        ChargeClass === null ? null : ChargePeriodStart,
        row.SubAccountId,
        row.x_Model,
        row.x_CostStatus,
        row.x_Bucket,
        row.x_PriceReference,
        row.ContractedUnitPrice,
      ]),
    (row) => nanoOf(row.BilledCost ?? null),
  );

/** The stored cost of all months in nano-dollars. */
async function ledgerNano(): Promise<bigint> {
  const { projectId: id, organizationId } = world.seed;
  const scope = ofProject(operatorScope({ id, no: 1, organizationId }));
  const window = { from: start(MONTHS[0]), to: start(MONTHS[3]) };
  const { models } = await eventsOf(world.ctx).ledger(scope, { window, environment: null });
  return models.reduce((all, { cost }) => all + BigInt(Math.round(cost * 1e9)), 0n);
}

test('closed months stay as they were billed; the next one has what changed as corrections', async () => {
  await world.app.act(createStatementsAction, { organization: 'Acme', definition: { by: 'project' } });
  await send('2026-04', 90);
  await send('2026-05', 20, 4);
  const open = await months();
  expect(open.flat().filter((row) => row.x_Correction !== null)).toEqual([]);
  await close('2026-04');
  const [april = []] = await months();
  expect(linesOf(april)).toEqual(linesOf(open[0] ?? []));

  await send('2026-04', 30);
  await reprice('gpt-4o');
  await reprice('unheard-of');
  const [same = [], may = [], june = []] = await months();
  expect(linesOf(same)).toEqual(linesOf(april));
  expect(same.some((row) => row.x_Correction === 'billed later')).toBe(true);
  const corrections = may.filter(({ ChargeClass }) => ChargeClass === 'Correction');
  expect(corrections.length).toBeGreaterThan(3);
  expect(new Set(corrections.map((row) => row.ChargePeriodStart))).toEqual(new Set(['2026-04-01T00:00:00Z']));
  expect(new Set(corrections.map((row) => row.BillingPeriodStart))).toEqual(
    new Set(['2026-05-01T00:00:00Z']),
  );
  // The old price of what was priced anew is taken back, the new one is billed.
  expect(corrections.some((row) => Number(row.PricingQuantity) < 0)).toBe(true);
  expect(corrections.some((row) => Number(row.PricingQuantity) > 0)).toBe(true);
  expect(june).toEqual([]);
  expect(billedOf([...same, ...may])).toBe(await ledgerNano());

  world.clock.set(start('2026-06') + 3 * DAY_MS);
  bearer = await world.signIn(world.seed.email);
  await close('2026-05');
  const billed = await months();
  expect(linesOf(billed[1] ?? [])).toEqual(linesOf(may));
  await send('2026-04', 15);
  await send('2026-05', 25);
  await send('2026-06', 10, 2);
  await reprice('gpt-4o-mini');
  const later = await months();
  expect(linesOf(later[0] ?? [])).toEqual(linesOf(april));
  expect(linesOf(later[1] ?? [])).toEqual(linesOf(may));
  const periods = (later[2] ?? []).flatMap((row) =>
    row.ChargeClass === 'Correction' ? [row.ChargePeriodStart] : [],
  );
  expect(new Set(periods)).toEqual(new Set(['2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z']));
  expect(later[3]).toEqual([]);
  expect(billedOf(later.flat())).toBe(await ledgerNano());
}, 120_000);
