import { queryTags } from '../../../core/events/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import type { CostTags } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';

/** Values that are named of each tag: what a form offers. */
const MAX_VALUES = 100;

/** Which tags the calls of a window's days have, and their most frequent values. */
export const costTagsRead: ReadOp<Pick<AnalyticsInput, 'window'>, CostTags> = {
  name: 'analytics.cost-tags',
  run(reader, { window }) {
    const tags = [...queryTags(reader, window)].map(([name, values]) => ({
      name,
      calls: [...values.values()].reduce((sum, calls) => sum + calls, 0),
      count: values.size,
      values: [...values]
        .sort(([, a], [, b]) => b - a)
        .slice(0, MAX_VALUES)
        .map(([value]) => value),
    }));
    return { tags: tags.sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)) };
  },
};
