import type { Ctx } from '../../../context.ts';
import type { BilledCorrection, BilledMonths } from '../../../core/billed-months/index.ts';
import { BILLED_BUCKETS } from '../../../core/pricing/contract.ts';
import { listProjects } from '../../../core/projects/index.ts';
import { operatorScope } from '../../../core/tenancy/index.ts';
import type { Account, Row } from '../ledger/ledger-table.ts';
import { monthAfter } from '../ledger/month.ts';
import { unpack } from '../ledger/pack.ts';
import {
  closedSums,
  type DefinitionRow,
  findClosed,
  findDefinition,
  lastClosed,
  listClosed,
  type MonthRow,
} from '../queries.ts';
import { findCorrections } from './corrections.ts';

/** The months that were closed by project, for others who tell costs by project. */
export const billedMonths: BilledMonths = {
  async correctionsIn(ctx, organizationId, month) {
    const definition = await findDefinition(ctx, organizationId, 'project');
    if (definition === null) return [];
    const row = await findClosed(ctx, definition.id, month);
    if (row !== null) return storedCorrections(ctx, row);
    const last = await lastClosed(ctx, definition.id);
    return last !== null && month === monthAfter(last.month) ? openCorrections(ctx, definition, month) : [];
  },

  async correctionsOf(ctx, organizationId, month) {
    const definition = await findDefinition(ctx, organizationId, 'project');
    const closed = definition === null ? [] : await listClosed(ctx, definition.id);
    const last = closed.at(-1);
    if (definition === null || last === undefined || !closed.some((row) => row.month === month)) return [];
    const found: BilledCorrection[] = [];
    for (const row of closed) if (row.month > month) found.push(...(await storedCorrections(ctx, row)));
    found.push(...(await openCorrections(ctx, definition, monthAfter(last.month))));
    return found.filter((one) => one.month === month);
  },
};

/** What the first open month would bill of the closed ones now. */
async function openCorrections(
  ctx: Ctx,
  definition: DefinitionRow,
  before: string,
): Promise<BilledCorrection[]> {
  const projects = await listProjects(ctx, definition.organizationId);
  const scopes = projects.map(operatorScope);
  const found = await findCorrections(ctx, { scopes, by: 'project', definition, before });
  return found.flatMap(({ month, table, parties }) =>
    parties.flatMap((party) =>
      table.rowsOf(party).flatMap((row) => toCorrection(month, table.accounts[row.account], row)),
    ),
  );
}

const SLICE = 100;
/** Numbers of a row before its buckets: the places of its month and account, calls, tokens, nano-dollars, buckets. */
const HEAD = 6;

/** What a closed month billed of earlier ones. */
async function storedCorrections(ctx: Ctx, row: MonthRow): Promise<BilledCorrection[]> {
  const accounts = unpack<Account[]>(row.accounts);
  const found: BilledCorrection[] = [];
  for (let from = 0; ; ) {
    const slice = await closedSums(ctx, row.id, { from, limit: SLICE, corrections: true });
    for (const { values } of slice)
      for (const { month: place, row: own } of rowsOf(values)) {
        const month = row.months[place];
        if (month !== undefined && month !== row.month)
          found.push(...toCorrection(month, accounts[own.account], own));
      }
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE) return found;
    from = last.place + 1;
  }
}

function* rowsOf(values: readonly number[]): Generator<{ readonly month: number; readonly row: Row }> {
  for (let at = 0; at < values.length; ) {
    const [month = 0, account = 0, calls = 0, tokens = 0, nano = 0, count = 0] = values.slice(at, at + HEAD);
    const buckets: [number, number, number][] = [];
    for (let i = at + HEAD; i < at + HEAD + 3 * count; i += 3)
      buckets.push([values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0]);
    yield { month, row: { account, calls, tokens, nano, buckets } };
    at += HEAD + 3 * count;
  }
}

function toCorrection(month: string, account: Account | undefined, row: Row): BilledCorrection[] {
  if (account === undefined) return [];
  const { projectId, provider, model, kind, price } = account;
  const { calls, tokens, nano } = row;
  const buckets = row.buckets.flatMap(([place, tokens, nano]) => {
    const bucket = BILLED_BUCKETS[place];
    return bucket === undefined ? [] : [{ bucket, tokens, nano }];
  });
  const applied = price === null ? null : { applied: price };
  return [{ month, projectId, provider, model, kind, price: applied, calls, tokens, nano, buckets }];
}
