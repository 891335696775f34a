import type { MetricDimension, MetricsDocument } from '../../../../core/events/query/contract.ts';
import type { When } from '../question.ts';

/** What was read of a question, before it becomes a query. */
export type Parts = {
  readonly measures: MetricsDocument['measures'];
  readonly groupBy: readonly MetricDimension[];
  /** Filters in the filter language, a term each. */
  readonly filters: readonly string[];
  readonly when: When | null;
  readonly compare: 'previous' | null;
  readonly baseline: When | null;
  readonly bucket: MetricsDocument['bucket'];
  readonly limit: number | undefined;
  readonly isLowest: boolean;
  /** Words that no rule used. */
  readonly left: readonly string[];
  /** What its words ask for together and no query can say. */
  readonly problems: readonly string[];
  /** Asks to leave something of the question before. */
  readonly isFollowUp: boolean;
};
