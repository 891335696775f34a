import { defineDurableEvent } from '../../context.ts';

/** What happened to a group of an alert. */
export type AlertOutcome = 'fired' | 'escalated' | 'eased' | 'resolved' | 'no_data';

/**
 * A change of a group of an alert with `opensIncident`, for the incidents: such an alert notifies nobody itself. It is
 * written to the outbox in the transaction that records the state, so a follower sees every change at least once, and
 * `id` is the same on each repetition. Figures are in the unit of the measure; times are epoch milliseconds.
 */
export type AlertChange = {
  readonly id: string;
  readonly outcome: AlertOutcome;
  readonly organizationId: string;
  readonly projectId: string;
  readonly alertId: string;
  readonly name: string;
  readonly measure: string;
  /** Dimension of the groups, such as `model` or `tag:team`; null for an alert without groups. */
  readonly groupBy: string | null;
  /** Value of the dimension; '' for calls without one, null for an alert without groups. */
  readonly group: string | null;
  /** What the calls of the group have in common: filters by one value, and the group. Names as in `groupBy`. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly severity: 'warning' | 'critical' | null;
  readonly previousSeverity: 'warning' | 'critical' | null;
  readonly value: number | null;
  readonly threshold: number | null;
  /** What the value was compared with; null for a threshold. */
  readonly baseline: number | null;
  /**
   * Calls of the window without a price, which a cost leaves out, and all calls; of a cost of runs, runs. Null for other
   * measures; missing in a change that an older version wrote.
   */
  readonly unpriced?: number | null;
  readonly calls?: number | null;
  readonly windowStart: number;
  readonly windowEnd: number;
  /** When the state began: the end of the window that showed it. Late events can put it in the past. */
  readonly at: number;
  /** Whether a silence held it back: an incident then notifies nobody of it. */
  readonly silenced: boolean;
  /** Channels of the alert. */
  readonly channelIds: readonly string[];
  /** One line for people. */
  readonly summary: string;
};

/** In order for each group: a late `fired` after its `resolved` would open an incident that nothing resolves. */
export const alertChanged = defineDurableEvent<AlertChange>('alert.changed', {
  orderKey: ({ alertId, group }) => `${alertId} ${group ?? ''}`,
});

export { compareWithUsual, DEVIATIONS, type Sensitivity, type Usual, usualOf } from './baseline.ts';
