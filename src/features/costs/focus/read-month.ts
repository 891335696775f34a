import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { organizations } from '../../../core/orgs/table.ts';
import { catalogueOf, type ProviderNames, providerNames } from '../../../core/pricing/index.ts';
import { projects } from '../../../core/projects/table.ts';
import { type OrganizationScope, ofProject, projectWithin } from '../../../core/tenancy/index.ts';
import { notAMember } from '../../../errors.ts';
import { DAY_MS, startOfNextMonth } from '../../../lib/time.ts';
import { chargesOf } from './charges.ts';
import type { FocusRow } from './columns.ts';
import { createListRates } from './list-rates.ts';
import { type ChargeContext, toRow } from './to-row.ts';

/** Rows at a time: a day with very many combinations of tags is handed on in parts. */
const PART = 2_000;

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
  const listRates = createListRates(catalogue);
  const account = await readAccount(ctx, organization);
  const names = remembered((of) => providerNames(catalogue, of));
  for (const project of await listOwnProjects(ctx, organization)) {
    const scope = ofProject(projectWithin(organization, { projectId: project.id, no: project.no }));
    const { days } = await eventsOf(ctx).metrics(scope, {
      days: { measures: ['requests'], bucket: 'day', filters: {}, window: billing },
    });
    for (const { time } of days) {
      if (time === null) continue;
      const charged = { from: time, to: time + DAY_MS };
      const context = { account, project, billing, charged, chargeClass: null, names };
      const ledger = await eventsOf(ctx).ledger(scope, { window: charged, environment: null, byTags: true });
      const charges = chargesOf(ledger, time, listRates);
      for (let at = 0; at < charges.length; at += PART)
        yield charges.slice(at, at + PART).map((charge) => toRow(charge, context));
    }
  }
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
