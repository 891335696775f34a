import { Badge } from '@mantine/core';
import type { JSX } from 'react';
import type { IncidentSummary } from './contract.ts';

/** The state of an incident: a resolved one has no severity to care about. */
export const IncidentBadges = ({
  status,
  severity,
}: Pick<IncidentSummary, 'status' | 'severity'>): JSX.Element =>
  status === 'resolved' ? (
    <Badge color="gray" variant="light">
      Resolved
    </Badge>
  ) : (
    <>
      <Badge color={severity === 'critical' ? 'red' : 'yellow'} variant="light">
        {severity === 'critical' ? 'Critical' : 'Warning'}
      </Badge>{' '}
      {status === 'acknowledged' && (
        <Badge color="blue" variant="light">
          Acknowledged
        </Badge>
      )}
    </>
  );
