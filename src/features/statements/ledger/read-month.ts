import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../../context.ts';
import {
  eventsOf,
  type LedgerParty,
  type LedgerSpace,
  unpackLedgerRows,
} from '../../../core/events/index.ts';
import { ofProject, type ProjectScope } from '../../../core/tenancy/index.ts';
import { collectAfter, collectAllGarbage } from '../../../db/collect-garbage.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { createLedgerTable, type LedgerTable } from './ledger-table.ts';
import type { Month } from './month.ts';
import { type Day, type DayState, keptMarks, readDay } from './read-day.ts';

export type MonthQuery = {
  readonly scopes: readonly ProjectScope[];
  readonly by: LedgerParty;
  readonly month: Month;
  readonly signal?: AbortSignal;
};

/** Sums of a model over days from which events are gone: these totals still have all of them. */
type Model = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly cost: number;
  readonly requests: number;
  readonly unpriced: number;
};

/** Days in a row from which events are gone, with their totals. */
type Incomplete = { readonly states: readonly DayState[]; readonly models: readonly Model[] };

type ProjectMonth = {
  readonly scope: ProjectScope;
  readonly complete: readonly DayState[];
  readonly incomplete: readonly Incomplete[];
};

/** What a month is read from. `mark` changes whenever the result may. */
export type MonthState = { readonly mark: string; readonly projects: readonly ProjectMonth[] };

/** Tells what a month is read from, without reading its days. */
export async function readMonthState(ctx: Ctx, { scopes, by, month }: MonthQuery): Promise<MonthState> {
  const projects: ProjectMonth[] = [];
  const marks: unknown[] = [];
  for (const scope of scopes) {
    const states = await eventsOf(ctx).ledgerDays(scope, { from: month.from, to: month.to });
    const complete = states.filter((state) => state.complete && state.stamp !== '');
    const incomplete: Incomplete[] = [];
    for (const run of runsOf(states.filter((state) => !state.complete))) {
      const models = await modelsOf(ctx, scope, run);
      if (models.length > 0) incomplete.push({ states: run, models });
    }
    const gone = incomplete.flatMap((one) => one.states);
    const kept = gone.length === 0 ? [] : await keptMarks(ctx, { scope, by }, month);
    if (complete.length + incomplete.length > 0)
      marks.push([scope.projectId, complete, gone, incomplete.map(({ models }) => models), kept]);
    projects.push({ scope, complete, incomplete });
  }
  return { mark: Bun.hash(JSON.stringify(marks)).toString(36), projects };
}

function runsOf(states: readonly DayState[]): DayState[][] {
  const runs: DayState[][] = [];
  for (const state of states) {
    const last = runs.at(-1);
    if (last?.at(-1)?.day === state.day - 1) last.push(state);
    else runs.push([state]);
  }
  return runs;
}

async function modelsOf(ctx: Ctx, scope: ProjectScope, run: readonly DayState[]): Promise<Model[]> {
  const window = { from: (run[0]?.day ?? 0) * DAY_MS, to: ((run.at(-1)?.day ?? 0) + 1) * DAY_MS };
  const { models } = await eventsOf(ctx).metrics(ofProject(scope), {
    models: { measures: ['cost', 'requests', 'unpriced'], groupBy: ['provider', 'model'], window },
  });
  return models;
}

type Of = { readonly scope: ProjectScope; readonly by: LedgerParty };

/** Parties of the days that were read, after which their garbage is collected. */
const COLLECTED = 1_000;

/**
 * Adds the ledger of a month to a table: every call of it. What days from which events are gone have in the totals, and
 * in no event and no kept day, is billed to nobody, or to the project if statements are by project.
 */
export async function readMonth(
  ctx: Ctx,
  table: LedgerTable,
  { by, projects, signal }: MonthState & Pick<MonthQuery, 'by' | 'signal'>,
): Promise<void> {
  const space: LedgerSpace = [];
  const read = collectAfter(COLLECTED);
  for (const { scope, complete, incomplete } of projects) {
    for (const state of complete) {
      signal?.throwIfAborted();
      const day = await readDay(ctx, { scope, by, state });
      addDay(table, day, { scope, by, space });
      read(day.parties.length);
      await Bun.sleep(0);
    }
    for (const { states, models } of incomplete) {
      const known: Models = new Map();
      for (const state of states)
        addDay(table, await readDay(ctx, { scope, by, state }), { scope, by, space, models: known });
      addRest(table, { scope, by }, { models, known });
    }
  }
}

const KEPT_MS = 60_000;

/** The last month that was read, by what tells it from others: pages of it are asked for one after the other. */
export const recentMonths: Service<LRUCache<string, LedgerTable>> = {
  name: 'statements.months',
  open: () => new LRUCache({ max: 1, ttl: KEPT_MS, ttlAutopurge: true }),
};

const LARGE = 2_000;
/** Of so many parties that what is left of the work is given back at once, which takes tens of milliseconds. */
export const isLarge = ({ parties }: Pick<LedgerTable, 'parties'>): boolean => parties.length > LARGE;

/** The ledger of a month as a table, which is not to be changed. */
export async function readMonthTable(
  ctx: Ctx,
  organizationId: string,
  month: MonthState & MonthQuery,
): Promise<LedgerTable> {
  const recent = ctx.use(recentMonths);
  const key = JSON.stringify([organizationId, month.by, month.month.name, month.mark]);
  const known = recent.get(key);
  if (known !== undefined) return known;
  const table = createLedgerTable();
  await readMonth(ctx, table, month);
  if (isLarge(table)) collectAllGarbage();
  recent.set(key, table);
  return table;
}

/** Sums of a model: calls and nano-dollars, and calls without a price. */
type ModelSums = { calls: number; nano: number; unpriced: number };
type Models = Map<string, ModelSums>;

const nameOf = (provider: string | null, model: string | null): string => JSON.stringify([provider, model]);
const NOTHING: ModelSums = { calls: 0, nano: 0, unpriced: 0 };

/** Adds what totals have beyond the days, so that all parties together are the totals. */
function addRest(
  table: LedgerTable,
  { scope: { projectId }, by }: Of,
  { models, known }: { readonly models: readonly Model[]; readonly known: Models },
): void {
  const party = table.party({
    projectId: projectOf(by, projectId),
    name: by === 'project' ? projectId : null,
  });
  const totals = new Map(
    models.map(({ provider, model, cost, requests, unpriced }) => [
      nameOf(provider, model),
      { calls: requests - unpriced, nano: Math.round(cost * 1e9), unpriced },
    ]),
  );
  for (const name of new Set([...totals.keys(), ...known.keys()])) {
    const [provider, model] = JSON.parse(name) as [string | null, string | null];
    const [total, own] = [totals.get(name) ?? NOTHING, known.get(name) ?? NOTHING];
    const add = (kind: 'summed' | 'unpriced', calls: number, nano: number): void => {
      if (calls === 0 && nano === 0) return;
      const account = table.account({ projectId, provider, model, kind, price: null });
      table.add({ party, account }, 1, { values: [calls, 0, nano, 0], at: 0 });
    };
    add('summed', total.calls - own.calls, total.nano - own.nano);
    add('unpriced', total.unpriced - own.unpriced, 0);
  }
}

/** Users and keys belong to a project; the values of a tag are the same parties in all projects. */
const projectOf = (by: LedgerParty, projectId: string): string | null =>
  by.startsWith('tag:') ? null : projectId;

/** Adds a day to the table, and its sums by model to `models`. */
function addDay(
  table: LedgerTable,
  day: Day,
  { scope: { projectId }, by, space, models }: Of & { readonly space: LedgerSpace; readonly models?: Models },
): void {
  const parties = day.parties.map((name) => table.party({ projectId: projectOf(by, projectId), name }));
  const accounts = day.accounts.map(({ provider, model, kind, price }) =>
    table.account({ projectId, provider, model, kind, price: price?.applied ?? null }),
  );
  const toOf = (party = -1, account = -1) => ({
    party: parties[party] as number,
    account: accounts[account] as number,
  });
  const { rows } = day;
  if (rows instanceof Uint8Array) {
    const columns = unpackLedgerRows(rows, space);
    const [calls, , nano] = columns.sums;
    for (let row = 0; row < columns.rows; row++) {
      const account = columns.accounts[row] as number;
      table.addColumns(toOf(columns.parties[row], account), columns, row);
      if (models !== undefined)
        addToModel(models, day.accounts[account], { calls: calls?.[row] ?? 0, nano: nano?.[row] ?? 0 });
    }
    return;
  }
  for (let at = 0; at < rows.length; ) {
    const account = rows[at + 1] as number;
    if (models !== undefined)
      addToModel(models, day.accounts[account], {
        calls: rows[at + 2] as number,
        nano: rows[at + 4] as number,
      });
    at = table.add(toOf(rows[at], account), 1, { values: rows, at: at + 2 });
  }
}

function addToModel(
  models: Models,
  account: Day['accounts'][number] | undefined,
  { calls, nano }: Pick<ModelSums, 'calls' | 'nano'>,
): void {
  if (account === undefined) return;
  const name = nameOf(account.provider, account.model);
  const sums = models.get(name) ?? { calls: 0, nano: 0, unpriced: 0 };
  models.set(name, sums);
  sums[account.kind === 'unpriced' ? 'unpriced' : 'calls'] += calls;
  sums.nano += nano;
}
