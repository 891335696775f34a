import type { MetricsReply } from '../../../core/events/query/contract.ts';
import { changeOf, pointsOf } from '../../../lib/figures.ts';
import type { AskRow } from './contract.ts';

type Figures = MetricsReply['total'];
type Unit = MetricsReply['measures'][number]['unit'];
type Before = Pick<Figures, 'values' | 'unpriced'>;

/**
 * The figures of a reply as rows: its groups, or its steps, and the total as the last.
 * @param baseline the same query over the window that it is compared with, unless that is the one just before
 */
export function toRows(reply: MetricsReply, baseline: MetricsReply | null): AskRow[] {
  const isCompared = baseline !== null || reply.total.previous !== undefined;
  const beforeOf = (figures: Figures, key: string | null): Before | null => {
    if (!isCompared) return null;
    if (baseline === null) return figures.previous ?? { values: {} };
    const same = key === null ? baseline.total : baseline.groups.find((group) => keyOf(group.key) === key);
    return same ?? { values: {} };
  };
  const row = (
    kind: AskRow['kind'],
    figures: Figures,
    more: Partial<AskRow> & { readonly of: string | null },
  ): AskRow => {
    const { of, ...rest } = more;
    const before = kind === 'others' && baseline !== null ? null : beforeOf(figures, of);
    return {
      kind,
      key: {},
      time: null,
      values: figures.values,
      before: before?.values ?? null,
      change: before && changesOf(reply, figures.values, before.values),
      unpriced: figures.unpriced ?? null,
      calls: figures.calls ?? null,
      unpricedBefore: before?.unpriced ?? null,
      ...rest,
    };
  };
  const names = reply.measures.map(({ name }) => name);
  const steps = reply.steps.map((step, place): AskRow => {
    const at = (figures: Pick<Figures, 'series'> | undefined) =>
      Object.fromEntries(names.map((name) => [name, figures?.series?.[name]?.[place] ?? null]));
    const values = at(reply.total);
    const before = !isCompared ? null : at(baseline === null ? reply.total.previous : baseline.total);
    const unpriced = reply.total.unpricedSeries?.[place] ?? null;
    return {
      kind: 'step',
      key: {},
      time: step.start,
      values,
      before,
      change: before && changesOf(reply, values, before),
      unpriced,
      calls: null,
      unpricedBefore: baseline?.total.unpricedSeries?.[place] ?? null,
    };
  });
  return [
    ...reply.groups.map((group) => row('group', group, { key: group.key, of: keyOf(group.key) })),
    ...(reply.others === null ? [] : [row('others', reply.others, { of: null })]),
    ...(reply.groupBy.length === 0 ? steps : []),
    row('total', reply.total, { of: null }),
  ];
}

const keyOf = (key: Readonly<Record<string, string | null>>): string => JSON.stringify(Object.values(key));

const changesOf = (
  { measures }: Pick<MetricsReply, 'measures'>,
  values: Figures['values'],
  before: Figures['values'],
): Record<string, string | null> =>
  Object.fromEntries(
    measures.map(({ name, unit }) => [name, changeText(unit, values[name] ?? null, before[name] ?? null)]),
  );

/** A rate differs by points, all else by percent. */
const changeText = (unit: Unit, value: number | null, before: number | null): string | null =>
  value === null || before === null
    ? null
    : unit === 'fraction'
      ? pointsOf(value, before).text
      : (changeOf(value, before)?.text ?? null);
