import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eventsOf, START } from '../../../src/core/events/index.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { createKey } from '../../../src/core/keys/index.ts';
import { createProject, findProject } from '../../../src/core/projects/index.ts';
import { operatorScope, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import type { Statement, StatementSummary, Statements } from '../../../src/features/statements/contract.ts';
import { keepDaysJob } from '../../../src/features/statements/jobs.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { randomBelow, TEST_SEED } from '../../helpers/random.ts';
import { readStored, type Stored } from '../../helpers/read-stored.ts';

const MONTHS = ['2026-01', '2026-02', '2026-03'];
const BY = ['project', 'user', 'key', 'tag:customer'] as const;
const EVENTS = 120;
const ROUNDS = Number(process.env.STATEMENT_ROUNDS ?? 2);
const NO_SIGNAL = new AbortController().signal;

const random = randomBelow();
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const start = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

let world: TestApp;
/** Of a person who signed in this month. */
let bearer: string;
let projects: { id: string; apiKey: string; scope: ProjectScope }[];
beforeEach(async () => {
  world = await openTestApp({ now: start('2026-01') + 3_600_000, rateLimits: false });
  projects = [await withScope(world.seed.projectId, world.seed.apiKey)];
  const { id } = await world.app.act(createProject, { organization: 'Acme', name: 'second' });
  const { apiKey } = await world.app.act(createKey, { project: id, name: 'second key' });
  projects.push(await withScope(id, apiKey));
  bearer = world.seed.bearer;
});
afterEach(() => world.close());

const withScope = async (id: string, apiKey: string) => ({
  id,
  apiKey,
  scope: operatorScope(await findProject(world.ctx, id)),
});

async function ask<T>(
  path: string,
  json?: unknown,
  method = json === undefined ? 'GET' : 'POST',
): Promise<T> {
  const response = await world.fetch(`/v1/organizations/${world.seed.organizationId}/${path}`, {
    bearer,
    method,
    ...(json === undefined ? {} : { json }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const makeCall = (from: number, to: number) => ({
  timestamp: new Date(from + random(to - from)).toISOString(),
  provider: 'openai',
  model: oneOf(['gpt-4o', 'gpt-4o-mini', 'unheard-of']),
  input_tokens: 1 + random(50_000),
  output_tokens: random(2_000),
  ...(random(3) === 0 ? {} : { user_id: `user-${random(4)}` }),
  ...(random(4) === 0 ? {} : { tags: { customer: `customer ${random(6)}`, tier: 'a' } }),
  ...(random(8) === 0 ? { cost_usd: random(10 ** 9) / 1e9 } : {}),
});

async function ingest(count: number, from: number, to: number): Promise<void> {
  for (const { apiKey } of projects) {
    const events = Array.from({ length: count }, () => makeCall(from, to));
    for (let i = 0; i < count; i += 100) {
      const response = await world.fetch('/v1/ingest', { apiKey, events: events.slice(i, i + 100) });
      expect(response.status).toBe(202);
    }
  }
}

const seal = async (): Promise<void> => {
  for (const { scope } of projects) await world.ctx.use(sealerService).sealAll(scope.no);
};

/** Sets another price and applies it to all stored calls of a model in a random project. */
async function reprice(until: number): Promise<void> {
  const model = oneOf(['gpt-4o', 'unheard-of']);
  const rates = { input: 1 + random(9), output: 1 + random(30) };
  await world.app.act(setPricesAction, {
    organization: 'Acme',
    prices: [{ provider: 'openai', model, rates }],
  });
  const { scope } = oneOf(projects);
  const calls = { from: 0, to: until, model, unpricedOnly: random(2) === 0, clientCosts: false };
  const { pricesVersion } = await eventsOf(world.ctx).previewReprice(scope, calls, {
    cursor: START,
    pricesVersion: null,
  });
  const change = { kind: 'reprice', id: crypto.randomUUID(), calls, pricesVersion } as const;
  for (let cursor: string | null = START; cursor !== null; ) {
    const done = await eventsOf(world.ctx).change(scope, change, { cursor, rows: 100 });
    cursor = done.next;
  }
}

async function erase(): Promise<void> {
  const { id } = oneOf(projects);
  const response = await world.fetch(`/v1/projects/${id}/erasures`, {
    bearer,
    json: { userId: `user-${random(4)}` },
  });
  expect(response.status).toBe(202);
  await erasureJob.run(world.ctx, NO_SIGNAL);
}

const storedOfAll = async (): Promise<Stored[]> =>
  (await Promise.all(projects.map(({ scope }) => readStored(world.ctx.db.path, scope.no)))).flat();

/** The same by customer. */
async function storedByCustomer(last: string): Promise<Record<string, number>> {
  const costs: Record<string, number> = {};
  for (const { isCall, ts, costNano, event } of await storedOfAll()) {
    if (!isCall || monthOf(ts) > last) continue;
    const customer = String(event.tags?.customer ?? null);
    costs[customer] = (costs[customer] ?? 0) + (costNano ?? 0);
  }
  return costs;
}

/** What each customer was billed until now is what the stored calls cost. */
async function expectByCustomer(kept: ReadonlyMap<string, readonly string[]>, month: string): Promise<void> {
  const billed: Record<string, number> = {};
  for (const [name, texts] of kept)
    for (const text of name.endsWith('tag:customer') ? texts : []) {
      const { party, costNano, correctionsNano } = JSON.parse(text) as Statement;
      billed[String(party)] = (billed[String(party)] ?? 0) + costNano + correctionsNano;
    }
  const stored = await storedByCustomer(month);
  for (const name of new Set([...Object.keys(billed), ...Object.keys(stored)]))
    expect([name, billed[name] ?? 0]).toEqual([name, stored[name] ?? 0]);
}

/** Cost of the stored calls of the months until one, in nano-dollars. */
async function storedCost(last: string): Promise<number> {
  const end = start(last) + 31 * DAY_MS;
  return (await storedOfAll())
    .filter(({ isCall, ts }) => isCall && ts >= start(MONTHS[0] ?? '') && monthOf(ts) <= last && ts < end)
    .reduce((sum, { costNano }) => sum + (costNano ?? 0), 0);
}
const monthOf = (ts: number): string => new Date(ts).toISOString().slice(0, 7);

async function eachSummary(month: string, by: string): Promise<StatementSummary[]> {
  const found: StatementSummary[] = [];
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: Statements = await ask(
      `statements?month=${month}&by=${encodeURIComponent(by)}&cursor=${cursor}&limit=7`,
    );
    found.push(...page.statements);
    cursor = page.nextCursor;
  }
  return found;
}

/** The statements of a month, as their bytes. */
async function documents(month: string, by: string): Promise<string[]> {
  const found: string[] = [];
  for (const { party, projectId } of await eachSummary(month, by)) {
    const search = new URLSearchParams({ month, by });
    if (party !== null) search.set('party', party);
    if (projectId !== null) search.set('projectId', projectId);
    found.push(JSON.stringify(await ask<Statement>(`statements/party?${search}`)));
  }
  return found;
}

const units = (text: string): bigint => BigInt(text.replace('.', ''));

function expectAddsUp(text: string): void {
  const { lines, total, costNano, correctionsNano } = JSON.parse(text) as Statement;
  expect(lines.reduce((sum, { amount }) => sum + units(amount), 0n)).toBe(units(total));
  const nano = (type: string): number =>
    lines.reduce((sum, line) => sum + (line.type === type ? (line.amountNano ?? 0) : 0), 0);
  expect([nano('usage'), nano('correction')]).toEqual([costNano, correctionsNano]);
}

describe(`statements (TEST_SEED=${TEST_SEED})`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    test(`and their corrections are the ledger, and closed ones keep their bytes: round ${round}`, async () => {
      const kept = new Map<string, string[]>();
      const billed = new Map<string, number>(BY.map((by) => [by, 0]));
      let [expired, corrected] = [0, 0];
      for (const by of BY)
        await ask(
          'statement-definitions',
          {
            by,
            markupPercent: 12.5,
            currency: 'EUR',
            rate: '0.9137',
            fees: [{ name: 'Seat', amount: '3.99' }],
            minimum: '5',
          },
          'PUT',
        );
      for (const [place, month] of MONTHS.entries()) {
        const [from, to] = [start(month), start(MONTHS[place + 1] ?? '2026-04')];
        world.clock.set(to - 3_600_000);
        bearer = await world.signIn(world.seed.email);
        await ingest(EVENTS, from, to);
        if (random(2) === 0) await seal();
        if (place > 0) await ingest(10 + random(20), start(MONTHS[0] ?? ''), from);
        if (random(3) > 0) await reprice(to);
        if (random(2) === 0) await erase();
        world.clock.set(to + 3_600_000);
        if (round % 2 === 1) {
          // Retention of about five weeks: it takes part of what was billed last month.
          await seal();
          await keepDaysJob.run(world.ctx, NO_SIGNAL);
          const before = await storedCost(month);
          for (const { scope } of projects)
            await eventsOf(world.ctx).deleteBefore(scope, to - 35 * DAY_MS, { signal: NO_SIGNAL });
          expired += before - (await storedCost(month));
        }
        for (const by of BY) {
          const open = await ask<Statements>(`statements?month=${month}&by=${encodeURIComponent(by)}`);
          const closed = await ask<Statements>('statements/close', { month, by, confirm: month });
          expect([closed.costNano, closed.correctionsNano, closed.total, closed.count]).toEqual([
            open.costNano,
            open.correctionsNano,
            open.total,
            open.count,
          ]);
          if (place > 0) corrected += Math.abs(closed.correctionsNano);
          billed.set(by, (billed.get(by) ?? 0) + closed.costNano + closed.correctionsNano);
          const own = await documents(month, by);
          for (const text of own) expectAddsUp(text);
          const all = own.map((text) => JSON.parse(text) as Statement);
          expect(all.reduce((sum, one) => sum + one.costNano + one.correctionsNano, 0)).toBe(
            closed.costNano + closed.correctionsNano,
          );
          kept.set(`${month} ${by}`, own);
        }
        if (expired === 0) await expectByCustomer(kept, month);
        for (const by of BY)
          expect([by, month, billed.get(by)]).toEqual([by, month, (await storedCost(month)) + expired]);
        for (const [name, texts] of kept) {
          const [closed = '', by = ''] = name.split(' ');
          expect(await documents(closed, by)).toEqual(texts);
        }
      }
      // Late events came in every month but the first.
      expect(corrected).toBeGreaterThan(0);
    }, 120_000);
  }
});
