import type { AlertChange } from '../../../core/alerts/index.ts';
import type { AlertRow } from '../queries.ts';
import { severityOf, summaryOf, type Tidings } from './to-notification.ts';

/** Names of filters by one value, as dimensions. */
const DIMENSIONS = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  errorCode: 'errorCode',
  userId: 'user',
  keyId: 'key',
  agent: 'agent',
  tool: 'tool',
  promptName: 'promptName',
} as const;

/** What the calls of a group have in common. */
function dimensionsOf({ rule }: AlertRow, group: string): Record<string, string> {
  const filtered = Object.entries(DIMENSIONS).flatMap(([filter, name]) => {
    const value = rule.filters[filter as keyof typeof DIMENSIONS];
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = rule.groupBy === null || group === '' ? [] : [[rule.groupBy, group] as const];
  return Object.fromEntries([...filtered, ...own]);
}

/** A change of a group, for the incidents. @param id of its entry in the history */
export function toChange(
  alert: AlertRow,
  tidings: Tidings,
  { id, silenced }: { readonly id: string; readonly silenced: boolean },
): AlertChange {
  const { outcome, groupKey, value, threshold, baseline, unpriced, calls, windowStart, windowEnd } = tidings;
  return {
    id,
    outcome,
    organizationId: alert.organizationId,
    projectId: alert.projectId,
    alertId: alert.id,
    name: alert.name,
    measure: alert.rule.measure,
    groupBy: alert.rule.groupBy,
    group: alert.rule.groupBy === null ? null : groupKey,
    dimensions: dimensionsOf(alert, groupKey),
    severity: severityOf(tidings.state),
    previousSeverity: severityOf(tidings.previous),
    value,
    threshold,
    baseline,
    unpriced,
    calls,
    windowStart,
    windowEnd,
    at: windowEnd,
    silenced,
    channelIds: alert.channelIds,
    summary: summaryOf(alert, tidings),
  };
}
