import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { type BilledCorrection, billedMonthsOf } from '../../../core/billed-months/index.ts';
import { eventsOf, type LedgerSpace } from '../../../core/events/index.ts';
import { organizations } from '../../../core/orgs/table.ts';
import { catalogueOf, type ProviderNames, providerNames } from '../../../core/pricing/index.ts';
import { projects } from '../../../core/projects/table.ts';
import {
  type OrganizationScope,
  ofProject,
  type ProjectScope,
  projectWithin,
} from '../../../core/tenancy/index.ts';
import { collectAfter } from '../../../db/collect-garbage.ts';
import { notAMember } from '../../../errors.ts';
import { DAY_MS, monthKey, startOfNextMonth } from '../../../lib/time.ts';
import {
  type Charge,
  chargesOf,
  chargesOfCorrection,
  chargesOfDay,
  createPriceRates,
  type Pricing,
} from './charges.ts';
import type { FocusRow } from './columns.ts';
import { parseMonth } from './contract.ts';
import { createListRates } from './list-rates.ts';
import { type ChargeContext, toRow } from './to-row.ts';

/** Rows at a time: a day with very many combinations of tags is handed on in parts. */
const PART = 2_000;
/** Rows, and combinations of tags that were read, after which their garbage is collected. */
const COLLECTED = 20_000;

/**
 * The rows of a month, project by project and day by day, as fast as they are taken. One day of one project is read and
 * held at a time.
 * @param month the start of the month in epoch milliseconds
 * @throws AppError 403 when the organization is gone
 */
export async function* readFocusRows(
  ctx: Ctx,
  organization: OrganizationScope,
  month: number,
): AsyncGenerator<FocusRow[], void, void> {
  const billing = { from: month, to: startOfNextMonth(month) };
  const catalogue = await catalogueOf(ctx);
  const pricing = { listRates: createListRates(catalogue), priceRates: createPriceRates() };
  const account = await readAccount(ctx, organization);
  const names = remembered((of) => providerNames(catalogue, of));
  const own = await listOwnProjects(ctx, organization);
  const space: LedgerSpace = [];
  const made = collectAfter(COLLECTED);
  for (const project of own) {
    const scope = projectWithin(organization, { projectId: project.id, no: project.no });
    const { days } = await eventsOf(ctx).metrics(ofProject(scope), {
      days: { measures: ['requests'], bucket: 'day', filters: {}, window: billing },
    });
    for (const { time } of days) {
      if (time === null) continue;
      const charged = { from: time, to: time + DAY_MS };
      const context = { account, project, billing, charged, correction: null, names };
      const { charges, combinations } = await readDay(ctx, scope, { ...pricing, ts: time }, space);
      made(combinations);
      let rows: FocusRow[] = [];
      for (const charge of charges) {
        rows.push(toRow(charge, context));
        if (rows.length < PART) continue;
        yield rows;
        rows = [];
        made(PART);
      }
      yield rows;
    }
  }
  const byId = new Map(own.map((project) => [project.id, project]));
  for await (const { corrected, sign, ...found } of correctionsOf(ctx, organization, month)) {
    const project = byId.get(found.projectId);
    if (project === undefined) continue;
    const charged = { from: corrected, to: startOfNextMonth(corrected) };
    const correction = sign === 1 ? ('correction' as const) : ('billed later' as const);
    const context = { account, project, billing, charged, correction, names };
    const charges = chargesOfCorrection(found, sign, { ...pricing, ts: corrected });
    yield charges.map((charge) => toRow(charge, context));
  }
}

type DayOfCharges = { readonly charges: Iterable<Charge>; readonly combinations: number };

/** The charges of the day that begins at `ts`. What is left of deleted calls is read with the rest, in one snapshot. */
async function readDay(
  ctx: Ctx,
  scope: ProjectScope,
  how: Pricing,
  space: LedgerSpace,
): Promise<DayOfCharges> {
  const found = await eventsOf(ctx).ledgerDay(scope, { day: how.ts / DAY_MS, by: 'tags' });
  const combinations = found.parties.length;
  if (found.complete) return { charges: chargesOfDay(found, space, how), combinations };
  const window = { from: how.ts, to: how.ts + DAY_MS };
  const ledger = await eventsOf(ctx).ledger(ofProject(scope), { window, environment: null, byTags: true });
  return { charges: chargesOf(ledger, how), combinations };
}

type Corrected = BilledCorrection & { readonly corrected: number; readonly sign: 1 | -1 };

/** What a month bills of earlier closed months, and what later months bill of it, which the ledger has by now. */
async function* correctionsOf(
  ctx: Ctx,
  { organizationId }: OrganizationScope,
  month: number,
): AsyncGenerator<Corrected, void, void> {
  const months = billedMonthsOf(ctx);
  for (const one of await months.correctionsIn(ctx, organizationId, monthKey(month)))
    yield { ...one, corrected: parseMonth(one.month) ?? month, sign: 1 };
  for (const one of await months.correctionsOf(ctx, organizationId, monthKey(month)))
    yield { ...one, corrected: month, sign: -1 };
}

async function readAccount(
  ctx: Ctx,
  { organizationId }: OrganizationScope,
): Promise<ChargeContext['account']> {
  const [found] = await ctx.db.sql
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (found === undefined) throw notAMember();
  return found;
}

const listOwnProjects = (
  ctx: Ctx,
  { organizationId }: OrganizationScope,
): Promise<{ id: string; no: number; name: string }[]> =>
  ctx.db.sql
    .select({ id: projects.id, no: projects.no, name: projects.name })
    .from(projects)
    .where(and(eq(projects.organizationId, organizationId), isNull(projects.deletedAt)))
    .orderBy(asc(projects.no));

/** Most models whose names are remembered during an export. */
const REMEMBERED = 1_000;

function remembered(read: ChargeContext['names']): ChargeContext['names'] {
  const known = new Map<string, ProviderNames>();
  return (of) => {
    const key = JSON.stringify([of.provider, of.model]);
    const found = known.get(key) ?? read(of);
    if (known.size < REMEMBERED) known.set(key, found);
    return found;
  };
}
