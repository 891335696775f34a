import type { MetricsReply } from '../../../core/events/query/contract.ts';
import type { ReportFigures } from './contract.ts';

/** The groups of a dimension, in a period compared with the one before, and in that period itself. */
export type GroupedReplies = {
  readonly by: string;
  readonly current: MetricsReply;
  readonly previous: MetricsReply;
};
type Change = Omit<ReportFigures['changes'][number], 'path'>;

/** Groups whose cost changed most, largest change first. */
export function changesOf(replies: readonly GroupedReplies[], most: number): Change[] {
  return replies
    .flatMap((reply) => [...continued(reply), ...ended(reply)])
    .filter((change) => sizeOf(change) > 0)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, most);
}

const sizeOf = ({ cost }: Change): number => Math.abs((cost.current ?? 0) - (cost.previous ?? 0));

const continued = ({ by, current }: GroupedReplies): Change[] =>
  current.groups.map(({ key, values, previous }) => ({
    by,
    value: key[by] ?? null,
    cost: { current: values.cost ?? null, previous: previous?.values.cost ?? null },
    unpriced: values.unpriced ?? 0,
    unpricedBefore: previous?.values.unpriced ?? 0,
  }));

/** Groups of the previous period alone. Where some are summed up as others, it is not known which ended. */
function ended({ by, current, previous }: GroupedReplies): Change[] {
  if (current.others !== null) return [];
  const known = new Set(current.groups.map(({ key }) => key[by] ?? null));
  return previous.groups
    .filter(({ key }) => !known.has(key[by] ?? null))
    .map(({ key, values }) => ({
      by,
      value: key[by] ?? null,
      cost: { current: null, previous: values.cost ?? null },
      unpriced: 0,
      unpricedBefore: values.unpriced ?? 0,
    }));
}
