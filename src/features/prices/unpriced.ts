import { metricsWindow, queryMetrics, type Window } from '../../core/events/index.ts';
import { readPricer } from '../../core/pricing/index.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { JsonText } from '../../http/reply.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import { floorToHour, formatInstant, HOUR_MS } from '../../lib/time.ts';
import { type UnpricedReply, unpricedEndpoint } from './contract.ts';

type Input = { readonly window: Window };
type Row = UnpricedReply['models'][number];

const MEASURES = ['requests', 'unpriced', 'unpricedInputTokens', 'unpricedOutputTokens'] as const;
/** Models that are told with all there is to tell; thousands of names are one sender's mistake. */
const MAX_MODELS = 200;

/** Which models were seen without a price, how often, and from when to when. */
export const unpricedRead: ReadOp<Input, UnpricedReply> = {
  name: 'prices.unpriced',
  run(reader, { window }) {
    const groups = queryMetrics(reader, { measures: MEASURES, groupBy: ['provider', 'model'], window });
    const sum = (of: 'requests' | 'unpriced'): number => groups.reduce((all, row) => all + row[of], 0);
    const models = groups
      .filter(({ unpriced }) => unpriced > 0)
      .sort((a, b) => b.unpriced - a.unpriced)
      .slice(0, MAX_MODELS)
      .map((group) => describe(reader, window, group));
    return { models, unpriced: sum('unpriced'), calls: sum('requests') };
  },
};

type Group = { readonly provider: string | null; readonly model: string | null } & Readonly<
  Record<(typeof MEASURES)[number], number>
>;

function describe(reader: Reader, window: Window, group: Group): Row {
  const { provider, model } = group;
  const hours = reader.projects.flatMap((project) =>
    reader.rows(
      `SELECT hour FROM rollup_hours
       WHERE project = ? AND hour >= ? AND hour * ${HOUR_MS} < ? AND is_call = 1
         AND provider = ? AND model = ? GROUP BY hour HAVING sum(unpriced) > 0 ORDER BY hour`,
      [project, Math.floor(window.from / HOUR_MS), window.to, provider ?? '', model ?? ''],
    ),
  );
  const of = { provider, model };
  const [first, last] = [hours[0], hours.at(-1)].map((row) => Number(row?.[0] ?? 0) * HOUR_MS);
  return {
    provider,
    model: model ?? NO_MODEL,
    unpriced: group.unpriced,
    calls: group.requests,
    input_tokens: group.unpricedInputTokens,
    output_tokens: group.unpricedOutputTokens,
    firstSeen: formatInstant(seen(reader, { ...of, hour: first ?? 0, pick: 'min' }) ?? first ?? 0),
    lastSeen: formatInstant(seen(reader, { ...of, hour: last ?? 0, pick: 'max' }) ?? last ?? 0),
    reason: reasonOf(reader, of, last ?? 0),
  };
}

type Sought = { provider: string | null; model: string | null; hour: number; pick: 'min' | 'max' };

/** The first or last call without a price within an hour; null where its rows are gone. */
function seen(reader: Reader, { provider, model, hour, pick }: Sought): number | null {
  const start = floorToHour(hour);
  const times = reader.projects.flatMap((project) => {
    const [row] = reader.rows(
      `SELECT ${pick}(ts) FROM events WHERE project = ? AND ts >= ? AND ts < ?
         AND is_call = 1 AND cost_status = 1 AND provider IS ? AND model IS ?`,
      [project, start, start + HOUR_MS, provider, model],
    );
    return row?.[0] === null || row?.[0] === undefined ? [] : [Number(row[0])];
  });
  return times.length === 0 ? null : Math[pick](...times);
}

/** Why such a call would have no price today. Usage it is not about: the model is asked for one token. */
function reasonOf(
  reader: Reader,
  { provider, model }: { provider: string | null; model: string | null },
  ts: number,
): string | null {
  const buckets = { fresh: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  const price = readPricer(reader).priceCall({ provider, model, ts, buckets });
  return price.status === 'unpriced' ? price.reason : null;
}

export const unpricedRoute = route(
  unpricedEndpoint,
  async (ctx, { query }, { scope }) =>
    new JsonText(
      await ctx.db.read(unpricedRead, ofProject(scope), { window: metricsWindow(query, ctx.now()) }),
    ),
);
