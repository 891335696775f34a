import {
  type LabelDimension,
  type LabelGroup,
  OTHER,
  queryLabels,
  type Window,
} from '../../../core/events/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { CostBreakdown } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';
import { withOthers } from './group-others.ts';

export type LabelBreakdownInput = AnalyticsInput & { readonly by: string };

/** `key`, or `tag:` and the name of a tag; null for another dimension. */
export function labelDimension(by: string): LabelDimension | null {
  if (by === 'key') return { of: 'key' };
  return by.startsWith('tag:') ? { of: 'tag', tag: by.slice('tag:'.length) } : null;
}

/**
 * What the calls of a window cost by project key or by the values of a tag, and on each of its UTC days.
 * Throws 400 with a filter: the sums of labels know none.
 */
export const labelBreakdownRead: ReadOp<LabelBreakdownInput, CostBreakdown> = {
  name: 'analytics.label-breakdown',
  run(reader, { filters, window: asked, now, by }) {
    const dimension = labelDimension(by);
    if (dimension === null) throw badRequest(`by: ${by} is not key or tag:NAME`);
    const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? [];
    if (filter !== undefined)
      throw badRequest(`${filter}: costs by key and tag are kept for all calls together; leave it out`);
    const window = withinLedger(reader, asked, now);
    const groups = queryLabels(reader, window, dimension).sort(
      (a, b) => b.sums.cost_nano - a.sums.cost_nano || b.sums.requests - a.sums.requests,
    );
    return byDay(window, by, withOthers(groups.map(toGroup)));
  },
};

/**
 * Groups whose costs are on the UTC days that a window touches. Its last instant is inclusive; where it begins
 * a day of its own, that is told only if something was spent in it.
 */
export function byDay({ from, to }: Window, by: string, groups: readonly Group[]): CostBreakdown {
  const first = Math.floor(from / DAY_MS);
  const days = Math.max(0, Math.ceil(to / DAY_MS) - first);
  const isEndOnly = (to - 1) % DAY_MS === 0 && to - 1 > from;
  const isEmpty = groups.every(({ costs }) => (costs[days - 1] ?? 0) === 0);
  const told = isEndOnly && isEmpty ? days - 1 : days;
  return {
    by,
    bucket: 'day',
    times: Array.from({ length: told }, (_, i) => formatInstant((first + i) * DAY_MS)),
    groups: groups.map((group) => ({ ...group, costs: group.costs.slice(0, told) })),
  };
}

type Group = CostBreakdown['groups'][number];

/** A group with its costs by day. */
export function toGroup({ value, sums, costs }: LabelGroup): Group {
  return {
    value: value ?? 'unknown',
    ...(value === null ? { none: true } : {}),
    ...(value === OTHER ? { others: null } : {}),
    cost: sums.cost_nano / 1e9,
    calls: sums.requests,
    unpriced: sums.unpriced,
    inputTokens: sums.input_tokens,
    outputTokens: sums.output_tokens,
    cacheRate: sums.input_tokens === 0 ? 0 : sums.cache_read_tokens / sums.input_tokens,
    costs: Array.from(costs, (nano) => nano / 1e9),
  };
}
