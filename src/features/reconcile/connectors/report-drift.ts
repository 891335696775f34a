import type { Ctx } from '../../../context.ts';
import type { OrganizationScope } from '../../../core/tenancy/index.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { type Drift, MAX_DRIFT_DAYS, MAX_DRIFT_LINES } from './contract.ts';
import { dayText, readDrift } from './drift.ts';
import { type ConnectorDrift, largestFirst, sumByDay, sumSides } from './drift-read.ts';
import type { Days } from './figures.ts';
import { connectorsWithin } from './job.ts';
import { type FigureRow, findThreshold, listConnectorStates, listWarnings } from './queries.ts';

const DEFAULT_DAYS = 30;
const MAX_APART = 100;

type Asked = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly connector?: string | undefined;
};

/**
 * What providers say that they billed an organization, beside its ledger.
 * @throws AppError 400 for days that are none or too many, 404 for a connector that it does not have
 */
export async function reportDrift(ctx: Ctx, organization: OrganizationScope, asked: Asked): Promise<Drift> {
  const { organizationId } = organization;
  const now = ctx.now();
  const days = daysOf(asked, now);
  const all = await connectorsWithin(ctx, organizationId);
  const settings = all.filter(({ id }) => asked.connector === undefined || id === asked.connector);
  if (asked.connector !== undefined && settings.length === 0)
    throw notFound(`There is no connector ${asked.connector}`);
  const [threshold, connectors, warnings] = await Promise.all([
    findThreshold(ctx, organizationId),
    listConnectorStates(ctx, organizationId, settings),
    listWarnings(ctx, organizationId),
  ]);
  const found: (ConnectorDrift & { readonly apart: Drift['apart'] })[] = [];
  for (const setting of settings) {
    const { apart, ...drift } = await readDrift(ctx, setting, { organization, days, threshold });
    found.push({ ...drift, apart: sumApart(setting.id, apart) });
  }
  const byDay = sumByDay(found.flatMap((one) => one.days));
  const count = (of: keyof Drift['counts']): number => found.reduce((sum, { counts }) => sum + counts[of], 0);
  return {
    ...{ from: dayText(days.from), to: dayText(days.to - 1), threshold, connectors },
    total: sumSides(byDay),
    counts: {
      ...{ lines: count('lines'), differing: count('differing') },
      ...{ over: count('over'), restated: count('restated') },
    },
    days: byDay,
    lines: found
      .flatMap(({ lines }) => lines)
      .sort(largestFirst)
      .slice(0, MAX_DRIFT_LINES),
    apart: found
      .flatMap(({ apart }) => apart)
      .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
      .slice(0, MAX_APART),
    warnings: warnings.filter(({ connector }) => settings.some(({ id }) => id === connector)),
  };
}

/** Complete days only. */
function daysOf({ from, to }: Asked, now: number): Days {
  const today = Math.floor(now / DAY_MS);
  const last = to === undefined ? today - 1 : Date.parse(to) / DAY_MS;
  const first = from === undefined ? last - DEFAULT_DAYS + 1 : Date.parse(from) / DAY_MS;
  if (first > last) throw badRequest('from: is after to');
  if (last - first >= MAX_DRIFT_DAYS) throw badRequest(`from: at most ${MAX_DRIFT_DAYS} days before to`);
  return { from: first, to: Math.min(last + 1, Math.max(today, first + 1)) };
}

function sumApart(connector: string, rows: readonly FigureRow[]): Drift['apart'] {
  const sums = new Map<string, Drift['apart'][number]>();
  for (const { kind, label, currency, amountNano } of rows) {
    if (kind === 'model') continue;
    const key = `${kind} ${currency} ${label}`;
    const known = sums.get(key) ?? { connector, kind, label, currency, amount: 0 };
    sums.set(key, { ...known, amount: known.amount + amountNano / 1e9 });
  }
  return [...sums.values()];
}
