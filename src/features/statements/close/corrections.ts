import type { Ctx } from '../../../context.ts';
import type { LedgerParty } from '../../../core/events/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import type { StatementSettings } from '../contract.ts';
import { type Account, createLedgerTable, type LedgerTable } from '../ledger/ledger-table.ts';
import { monthOf } from '../ledger/month.ts';
import { unpack } from '../ledger/pack.ts';
import { type MonthState, readMonth, readMonthState } from '../ledger/read-month.ts';
import { closedSums, type DefinitionRow, listClosed, type MonthRow } from '../queries.ts';

/** Who pays for a user whose calls were all erased, so that no new statement names them. */
export const ERASED = 'erased user';
const SLICE = 100;

/** What the ledger of a closed month has beyond what was billed of it, by party. */
export type MonthCorrections = {
  readonly month: string;
  /** What the ledger of the month is like. */
  readonly mark: string;
  readonly settings: StatementSettings;
  readonly table: LedgerTable;
  /** The parties whose rows in the table are not all zero. */
  readonly parties: readonly number[];
};

type Query = {
  readonly scopes: readonly ProjectScope[];
  readonly by: LedgerParty;
  readonly definition: DefinitionRow;
  /** Months before this one. */
  readonly before: string;
  readonly signal?: AbortSignal;
};

/**
 * Compares each closed month with the ledger of now. Months whose ledger is as it was when they were billed last are
 * not compared.
 */
export async function findCorrections(ctx: Ctx, query: Query): Promise<MonthCorrections[]> {
  const closed = (await listClosed(ctx, query.definition.id)).filter(({ month }) => month < query.before);
  const marks = closed.at(-1)?.marks ?? {};
  const found: MonthCorrections[] = [];
  for (const row of closed) {
    query.signal?.throwIfAborted();
    const { month, settings } = row;
    const state = await readMonthState(ctx, { ...query, month: monthOf(month) });
    const isSame = state.mark === marks[month];
    const table = isSame ? createLedgerTable() : await compare(ctx, state, { ...query, month, closed });
    const parties = [...table.parties.keys()].filter((party) => table.sumsOf(party) !== null);
    found.push({ month, mark: state.mark, settings, table, parties });
  }
  return found;
}

type Billed = Pick<Query, 'scopes' | 'by' | 'signal'> & {
  readonly month: string;
  readonly closed: readonly MonthRow[];
};

/** Subtracts what was billed of a month from its ledger. */
async function compare(
  ctx: Ctx,
  state: MonthState,
  { scopes, by, month, closed, signal }: Billed,
): Promise<LedgerTable> {
  const table = createLedgerTable();
  await readMonth(ctx, table, { ...state, by, ...(signal !== undefined && { signal }) });
  const projects = new Set(scopes.map(({ projectId }) => projectId));
  const present = table.parties.length;
  for (const row of closed) {
    const place = row.months.indexOf(month);
    if (place === -1) continue;
    const accounts = unpack<Account[]>(row.accounts);
    // A deleted project is not refunded.
    const numbers = accounts.map((account) =>
      projects.has(account.projectId) ? table.account(account) : null,
    );
    for await (const { party: key, values } of sumsOf(ctx, row, month)) {
      const [projectId, name] = JSON.parse(key) as [string | null, string | null];
      const isGone =
        by === 'user' && name !== null && (table.find({ projectId, name }) ?? present) >= present;
      const party = table.party({ projectId, name: isGone ? ERASED : name });
      subtract(table, { party, place, numbers }, values);
    }
  }
  return table;
}

/** The sums of a closed month: all that are its own, or its corrections of others. */
async function* sumsOf(ctx: Ctx, row: MonthRow, month: string) {
  const corrections = row.month !== month;
  for (let from = 0; ; ) {
    const slice = await closedSums(ctx, row.id, { from, limit: SLICE, corrections });
    yield* slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE) return;
    from = last.place + 1;
    await Bun.sleep(0);
  }
}

/** Rows are the place of a month, the place of an account, and what `LedgerTable.add` reads. */
function subtract(
  table: LedgerTable,
  { party, place, numbers }: { party: number; place: number; numbers: readonly (number | null)[] },
  values: readonly number[],
): void {
  for (let at = 0; at < values.length; ) {
    const account = numbers[values[at + 1] as number] ?? null;
    const row = { values, at: at + 2 };
    at =
      values[at] === place && account !== null
        ? table.add({ party, account }, -1, row)
        : at + 6 + 3 * (values[at + 5] as number);
  }
}
