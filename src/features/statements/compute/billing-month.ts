import type { Ctx } from '../../../context.ts';
import { listKeys } from '../../../core/keys/index.ts';
import { listProjects } from '../../../core/projects/index.ts';
import { operatorScope } from '../../../core/tenancy/index.ts';
import { scaled, toDecimal } from '../../../lib/billing/decimal.ts';
import { findCorrections, type MonthCorrections } from '../close/corrections.ts';
import type { StatementBy, StatementSettings, Statements } from '../contract.ts';
import {
  createLedgerTable,
  type LedgerTable,
  type Party,
  partyKey,
  type Row,
} from '../ledger/ledger-table.ts';
import { monthOf } from '../ledger/month.ts';
import { readMonth, readMonthState } from '../ledger/read-month.ts';
import type { DefinitionRow } from '../queries.ts';
import { moneyOf } from './amounts.ts';
import { type MonthHead, type Owed, sumsOf, toStatement } from './to-statement.ts';

/** A month that is not closed, as it would be billed now. */
export type OpenMonth = {
  readonly head: MonthHead;
  readonly table: LedgerTable;
  readonly corrections: readonly MonthCorrections[];
  /** What each party owes, the highest cost first; calls without a party last. */
  readonly owed: readonly Owed[];
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
  const table = createLedgerTable();
  const query = { scopes, by, ...(signal !== undefined && { signal }) };
  const state = await readMonthState(ctx, { ...query, month });
  await readMonth(ctx, table, { ...state, ...query });
  const found =
    definition === null ? [] : await findCorrections(ctx, { ...query, definition, before: input.month });
  const corrections = found.filter(({ byParty }) => byParty.size > 0);
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
    owed: owedOf(table, corrections),
    marks: Object.fromEntries([
      ...found.map(({ month: name, mark: seen }) => [name, seen]),
      [input.month, state.mark],
    ]),
  };
}

function owedOf(table: LedgerTable, corrections: readonly MonthCorrections[]): Owed[] {
  const rows = table.rowsByParty();
  const owed = new Map<string, { party: Party; rows: Row[]; corrections: Owed['corrections'][number][] }>();
  const of = (party: Party) => {
    const key = partyKey(party);
    const known = owed.get(key) ?? { party, rows: [], corrections: [] };
    owed.set(key, known);
    return known;
  };
  for (const [number, own] of rows) of(table.parties[number] as Party).rows = own;
  for (const { byParty, month, settings, accounts } of corrections)
    for (const { party, rows: changed } of byParty.values())
      of(party).corrections.push({ month, settings, accounts, rows: changed });
  const ranked = [...owed.values()].map((one) => ({ one, ...sumsOf(one.rows, [], one.corrections) }));
  const keys = new Map(ranked.map(({ one }) => [one, partyKey(one.party)]));
  ranked.sort(
    (a, b) =>
      Number(a.one.party.name === null) - Number(b.one.party.name === null) ||
      b.costNano - a.costNano ||
      b.correctionsNano - a.correctionsNano ||
      b.calls - a.calls ||
      ((keys.get(a.one) ?? '') < (keys.get(b.one) ?? '') ? -1 : 1),
  );
  return ranked.map(({ one }) => one);
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
  let total = 0n;
  for (const [place, one] of owed.entries()) {
    if (place % SLICE === SLICE - 1) await Bun.sleep(0);
    const statement = toStatement(head, one, null);
    all.calls += statement.calls;
    all.unpriced += statement.unpriced;
    all.costNano += statement.costNano;
    all.correctionsNano += statement.correctionsNano;
    total += unitsOf(statement.total, decimals);
  }
  return { ...all, total: toDecimal(total, decimals) };
}

/** Statements that are made before other work has its turn. */
export const SLICE = 50;

/** A total as a whole number of the smallest units. */
export const unitsOf = (total: string, decimals: number): bigint =>
  total.startsWith('-') ? -scaled(total.slice(1), decimals) : scaled(total, decimals);
