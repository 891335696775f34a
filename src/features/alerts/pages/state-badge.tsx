import type { JSX } from 'react';
import type { AlertState } from '../contract.ts';
import type { ListedAlert } from './alerts-api.ts';

/** States as people read them. */
export const STATES: Readonly<Record<AlertState, { readonly label: string; readonly tone: string }>> = {
  critical: { label: 'Critical', tone: 'bad' },
  warning: { label: 'Warning', tone: 'warn' },
  no_data: { label: 'No data', tone: 'warn' },
  pending: { label: 'Pending', tone: 'accent' },
  ok: { label: 'OK', tone: 'good' },
};

export const StateBadge = ({ state }: { readonly state: AlertState }): JSX.Element => (
  <span className={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>
);

/** The state of an alert with what else there is to know: disabled, failing, silenced, not judged yet. */
export function AlertBadges(
  alert: Pick<ListedAlert, 'state' | 'enabled' | 'error' | 'silencedUntil' | 'evaluatedAt'>,
): JSX.Element {
  if (alert.enabled === false) return <span className="badge">Disabled</span>;
  return (
    <>
      {alert.evaluatedAt === null && alert.error === null ? (
        <span className="badge" title="The first evaluation comes within a minute">
          Waiting
        </span>
      ) : (
        <StateBadge state={alert.state} />
      )}
      {alert.error !== null && (
        <span className="badge bad" title={alert.error.message}>
          Failing
        </span>
      )}
      {alert.silencedUntil !== null && <span className="badge">Silenced</span>}
    </>
  );
}
