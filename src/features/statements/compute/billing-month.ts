import type { Ctx } from '../../../context.ts';
import { listKeys } from '../../../core/keys/index.ts';
import { listProjects } from '../../../core/projects/index.ts';
import { operatorScope } from '../../../core/tenancy/index.ts';
import { collectAfter } from '../../../db/collect-garbage.ts';
import { scaled, toDecimal } from '../../../lib/billing/decimal.ts';
import { findCorrections, type MonthCorrections } from '../close/corrections.ts';
import type { StatementBy, StatementSettings, Statements } from '../contract.ts';
import type { LedgerTable, Party } from '../ledger/ledger-table.ts';
import { monthOf } from '../ledger/month.ts';
import { readMonthState, readMonthTable } from '../ledger/read-month.ts';
import type { DefinitionRow } from '../queries.ts';
import { moneyOf } from './amounts.ts';
import { listOwed, type OwedList } from './owed-list.ts';
import { type MonthHead, totalOf } from './to-statement.ts';

/** A month that is not closed, as it would be billed now. */
export type OpenMonth = {
  readonly head: MonthHead;
  readonly table: LedgerTable;
  readonly corrections: readonly MonthCorrections[];
  readonly owed: OwedList;
  /** What the ledger of this month and of corrected ones is like. */
  readonly marks: Readonly<Record<string, string>>;
};

export type MonthInput = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly by: StatementBy;
  readonly month: string;
  readonly definition: DefinitionRow | null;
  readonly settings: StatementSettings;
  readonly signal?: AbortSignal;
};

/** Reads the ledger of a month and of the closed months before it, and tells what each party owes. */
export async function readOpenMonth(ctx: Ctx, input: MonthInput): Promise<OpenMonth> {
  const { organization, by, settings, definition, signal } = input;
  const projects = await listProjects(ctx, organization.id);
  const scopes = projects.map(operatorScope);
  const month = monthOf(input.month);
  const query = { scopes, by, ...(signal !== undefined && { signal }) };
  const state = await readMonthState(ctx, { ...query, month });
  const table = await readMonthTable(ctx, organization.id, { ...state, ...query, month });
  const found =
    definition === null ? [] : await findCorrections(ctx, { ...query, definition, before: input.month });
  const corrections = found.filter(({ parties }) => parties.length > 0);
  return {
    head: {
      organizationId: organization.id,
      organization: organization.name,
      by,
      month: input.month,
      status: 'open',
      closedAt: null,
      settings,
      accounts: table.accounts,
      nameOf: await namesOf(ctx, by, projects),
    },
    table,
    corrections,
    owed: listOwed(table, corrections),
    marks: Object.fromEntries([
      ...found.map(({ month: name, mark: seen }) => [name, seen]),
      [input.month, state.mark],
    ]),
  };
}

type Named = { readonly id: string; readonly name: string };

/** How parties are called: projects and keys by their names. */
async function namesOf(
  ctx: Ctx,
  by: StatementBy,
  projects: readonly Named[],
): Promise<(party: Party) => string> {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  if (by === 'key')
    for (const { id } of projects) for (const key of await listKeys(ctx, id)) names.set(key.id, key.name);
  const isNamed = by === 'project' || by === 'key';
  return ({ name, projectId }) => {
    if (name !== null) return isNamed ? (names.get(name) ?? name) : name;
    const project = projectId === null ? '' : ` of ${names.get(projectId) ?? projectId}`;
    return by === 'user' || by === 'key' ? `Calls without a ${by}${project}` : `Calls without ${by}`;
  };
}

type Totals = Pick<Statements, 'count' | 'calls' | 'unpriced' | 'costNano' | 'correctionsNano' | 'total'>;

/** The sums of all statements of a month; yields to other work. */
export async function totalsOf({ head, owed }: OpenMonth): Promise<Totals> {
  const { decimals } = moneyOf(head.settings);
  const all = { count: owed.length, calls: 0, unpriced: 0, costNano: 0, correctionsNano: 0 };
  const made = collectAfter(COLLECTED);
  let total = 0n;
  for (let from = 0; from < owed.length; from += SLICE) {
    for (const one of owed.sums(from, from + SLICE)) {
      all.calls += one.own.calls;
      all.unpriced += one.own.unpriced;
      all.costNano += one.own.nano;
      all.correctionsNano += one.correctionsNano;
      total += totalOf(head, one);
    }
    made(SLICE);
    await Bun.sleep(0);
  }
  return { ...all, total: toDecimal(total, decimals) };
}

/** Statements that are made before other work has its turn. */
export const SLICE = 50;
/** Statements after which their garbage is collected. */
export const COLLECTED = 500;

/** A total as a whole number of the smallest units. */
export const unitsOf = (total: string, decimals: number): bigint =>
  total.startsWith('-') ? -scaled(total.slice(1), decimals) : scaled(total, decimals);
