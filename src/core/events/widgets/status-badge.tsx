import type { JSX } from 'react';
import type { EventStatus } from '../contract.ts';

type Look = { readonly label: string; readonly tone: 'good' | 'bad' | 'warn' | 'dim' };

/** Every status of an event, in the order in which menus show them. */
export const STATUSES: Readonly<Record<EventStatus, Look>> = {
  success: { label: 'Success', tone: 'good' },
  error: { label: 'Error', tone: 'bad' },
  timeout: { label: 'Timeout', tone: 'bad' },
  rate_limited: { label: 'Rate limited', tone: 'warn' },
  cancelled: { label: 'Cancelled', tone: 'dim' },
};

export const StatusBadge = ({ status }: { status: EventStatus }): JSX.Element => (
  <span className={`badge ${STATUSES[status].tone} ${status === 'success' ? 'quiet' : ''}`}>
    {STATUSES[status].label}
  </span>
);
