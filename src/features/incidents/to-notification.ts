import type { Notification } from '../../core/deliveries/index.ts';
import { countText } from '../../lib/figures.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Incident } from './state.ts';

/** Types of notifications about incidents. */
export type IncidentNotification = 'incident.opened' | 'incident.updated' | 'incident.resolved';

const VERBS: Readonly<Record<IncidentNotification, string>> = {
  'incident.opened': 'opened',
  'incident.updated': 'updated',
  'incident.resolved': 'resolved',
};

/**
 * A notification about an incident. Its texts are data: each format quotes them as it must.
 * @param cause the result of the root cause in a sentence; null if it is not known
 */
export function toNotification(
  incident: Incident,
  type: IncidentNotification,
  cause: string | null,
): Notification {
  const { id, number, title, severity, status, projectId, organizationId, alerts, startedAt, resolvedAt } =
    incident;
  const path = `/projects/${projectId}/incidents/${id}`;
  const last = incident.timeline.at(-1);
  const firing = alerts.filter(({ state }) => state === 'firing');
  const lines = alerts.slice(-3).map(({ summary }) => summary);
  const summary = `Incident #${number} ${VERBS[type]}: ${title}`;
  return {
    organizationId,
    projectId,
    type,
    data: {
      incident: {
        id,
        number,
        title,
        severity,
        status,
        path,
        dimensions: incident.dimensions,
        startedAt: formatInstant(startedAt),
        resolvedAt: resolvedAt === null ? null : formatInstant(resolvedAt),
        alerts: alerts.map(({ alertId, name, group, measure, value, threshold, unpriced, calls, state }) => ({
          id: alertId,
          name,
          group,
          measure,
          value,
          threshold,
          unpriced: unpriced ?? null,
          calls: calls ?? null,
          state,
        })),
      },
      projectId,
      event: last?.kind ?? null,
      rootCause: cause,
      summary,
    },
    message: {
      title: summary,
      text: [...lines, ...(cause === null ? [] : [cause])].join(' ').slice(0, 1_000) || title,
      facts: [
        { label: 'Severity', value: severity },
        { label: 'Status', value: status },
        { label: 'Started', value: formatInstant(startedAt) },
        { label: 'Alerts', value: `${countText(alerts.length, 'alert')}, ${firing.length} firing` },
      ],
      severity: type === 'incident.resolved' ? 'resolved' : severity,
      subject: `incident ${id}`,
      link: { label: `Open incident #${number}`, path },
    },
    ...(incident.channelIds.length === 0 ? {} : { channelIds: incident.channelIds }),
  };
}
