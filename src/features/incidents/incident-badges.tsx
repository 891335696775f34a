import type { JSX } from 'react';
import type { IncidentSummary } from './contract.ts';

/** The state of an incident: a resolved one has no severity to care about. */
export const IncidentBadges = ({
  status,
  severity,
}: Pick<IncidentSummary, 'status' | 'severity'>): JSX.Element =>
  status === 'resolved' ? (
    <span className="badge">Resolved</span>
  ) : (
    <>
      <span className={`badge ${severity === 'critical' ? 'bad' : 'warn'}`}>
        {severity === 'critical' ? 'Critical' : 'Warning'}
      </span>{' '}
      {status === 'acknowledged' && <span className="badge accent">Acknowledged</span>}
    </>
  );
