import type { AlertOutcome } from '../../../core/alerts/index.ts';
import type { Notification } from '../../../core/deliveries/index.ts';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { AlertState, Priced, Reason } from '../contract.ts';
import type { AlertRow } from '../queries.ts';
import { countedOf, figureText, leftOutText, measureLabel, ruleText, valueText } from './texts.ts';

type Severity = 'warning' | 'critical';

/** What people are told of a group of an alert. Times are epoch milliseconds. */
export type Tidings = Priced & {
  readonly outcome: AlertOutcome;
  readonly groupKey: string;
  readonly state: AlertState;
  readonly previous: AlertState;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly reason: Reason | null;
  readonly windowStart: number;
  readonly windowEnd: number;
  /** It fired before and still does. */
  readonly again?: true;
};

export const severityOf = (state: AlertState): Severity | null =>
  state === 'warning' || state === 'critical' ? state : null;

/** A group by its dimension, such as ` for model gpt-4o`; '' for an alert without groups. */
const groupText = ({ rule }: AlertRow, group: string): string => {
  if (rule.groupBy === null) return '';
  const dimension = rule.groupBy.startsWith('tag:') ? rule.groupBy.slice(4) : rule.groupBy;
  return ` for ${dimension} ${group === '' ? '(none)' : group}`;
};

const REASON_TEXTS: Partial<Record<Reason, string>> = {
  few_requests: 'there are too few calls to judge',
  no_requests: 'there are no calls',
  unpriced: 'calls without a price would decide',
  no_baseline: 'there is nothing to compare with',
  gone: 'there were no calls for 24 hours',
  late_events: 'events that arrived late changed the figures',
  rule_changed: 'the rule was changed, disabled or deleted',
};

/** One line for people. */
export function summaryOf(alert: AlertRow, tidings: Tidings): string {
  const { outcome, groupKey, state, again } = tidings;
  const about = `"${alert.name}"${groupText(alert, groupKey)}`;
  const value = valueText(alert.rule.measure, tidings);
  const figure = value === null ? '' : `: ${measureLabel(alert.rule.measure)} is ${value}`;
  if (outcome === 'no_data') return `No data: ${about}`;
  if (outcome === 'resolved') return `Resolved: ${about}${figure}`;
  const word = state === 'critical' ? 'Critical' : 'Warning';
  return `${again === true ? `Still ${word.toLowerCase()}` : word}: ${about}${figure}`;
}

const TYPES = {
  fired: 'alert.fired',
  eased: 'alert.fired',
  escalated: 'alert.escalated',
  resolved: 'alert.resolved',
  no_data: 'alert.no_data',
} as const;

/** The page of an alert. */
export const alertPath = ({ projectId, id }: Pick<AlertRow, 'projectId' | 'id'>): string =>
  `/projects/${projectId}/alerts/${id}`;

/**
 * The notification of a change of one group.
 * @param origin address of the dashboard, for the `url` of webhooks
 */
export function toNotification(alert: AlertRow, tidings: Tidings, origin: string): Notification {
  const { outcome, groupKey, state, value, threshold, baseline, unpriced, calls, reason } = tidings;
  const { rule, organizationId, projectId } = alert;
  const summary = summaryOf(alert, tidings);
  const said = reason === null ? undefined : REASON_TEXTS[reason];
  const why = said?.replace('calls', countedOf(rule.measure));
  const leftOut = leftOutText(rule.measure, tidings);
  const fact = (label: string, figure: number | null) =>
    figure === null ? [] : [{ label, value: figureText(rule.measure, figure) }];
  return {
    organizationId,
    projectId,
    userId: rule.groupBy === 'user' && groupKey !== '' ? groupKey : (rule.filters.userId ?? null),
    type: TYPES[outcome],
    channelIds: alert.channelIds,
    data: {
      alert: { id: alert.id, name: alert.name, url: `${origin}${alertPath(alert)}` },
      projectId,
      group: rule.groupBy === null ? null : groupKey,
      severity: severityOf(state),
      previousSeverity: severityOf(tidings.previous),
      measure: rule.measure,
      value,
      threshold,
      baseline,
      unpriced,
      calls,
      reason,
      windowStart: formatInstant(tidings.windowStart),
      windowEnd: formatInstant(tidings.windowEnd),
      incidentId: null,
      summary,
    },
    message: {
      title: summary,
      text: why === undefined ? `${ruleText(rule)}.` : `${ruleText(rule)}; ${why}.`,
      facts: [
        ...fact(markOf(rule.measure, value, unpriced) === 'minimum' ? 'Value, at least' : 'Value', value),
        ...(leftOut === null ? [] : [{ label: 'Without a price', value: leftOut }]),
        ...fact('Threshold', threshold),
        ...fact(rule.condition.kind === 'anomaly' ? 'Usual' : 'Before', baseline),
        {
          label: 'Window',
          value: `${formatInstant(tidings.windowStart)} to ${formatInstant(tidings.windowEnd)}`,
        },
      ],
      severity: outcome === 'resolved' ? 'resolved' : (severityOf(state) ?? 'warning'),
      subject: `alert ${alert.id} ${groupKey}`,
      link: { label: 'Open alert', path: alertPath(alert) },
    },
  };
}

/** Groups that a notification of many lists. */
const MAX_LISTED = 100;
const MAX_NAMED = 5;

/** One notification of the same change of many groups, the first of them at the top. */
export function toGroupedNotification(
  alert: AlertRow,
  tidings: readonly Tidings[],
  origin: string,
): Notification {
  const [first] = tidings;
  if (first === undefined) throw new Error('a notification needs a group');
  const one = toNotification(alert, first, origin);
  const word = {
    fired: 'fire',
    eased: 'fire',
    escalated: 'are critical',
    resolved: 'resolved',
    no_data: 'have no data',
  };
  const summary = `"${alert.name}": ${tidings.length} groups ${word[first.outcome]}`;
  const named = tidings.slice(0, MAX_NAMED).map(({ groupKey }) => (groupKey === '' ? '(none)' : groupKey));
  const more = tidings.length > MAX_NAMED ? ` and ${tidings.length - MAX_NAMED} more` : '';
  const isUser = alert.rule.groupBy === 'user';
  return {
    ...one,
    userId: alert.rule.filters.userId ?? null,
    data: {
      ...one.data,
      group: null,
      // A notification about several people cannot be erased with one of them.
      groups: isUser
        ? []
        : tidings.slice(0, MAX_LISTED).map(({ groupKey, value, unpriced, calls, state }) => ({
            group: groupKey,
            value,
            unpriced,
            calls,
            severity: severityOf(state),
          })),
      summary,
    },
    message: {
      ...one.message,
      title: summary,
      text: isUser ? `${ruleText(alert.rule)}.` : `${ruleText(alert.rule)}: ${named.join(', ')}${more}.`,
      subject: `alert ${alert.id} ${first.outcome} ${first.windowEnd}`,
    },
  };
}
