import type { getMethodsEndpoint } from '../../../core/auth/contract.ts';
import type { listChannelsEndpoint } from '../../../core/deliveries/channels/contract.ts';
import type { getMembersEndpoint } from '../../../core/orgs/contract.ts';
import { endpointOf, type Handle } from '../../../dashboard/shell/endpoint.ts';
import type { listReportsEndpoint, listRunsEndpoint, ReportPeriod } from '../contract.ts';

/** The endpoints that several parts of the page of scheduled reports read. */
export const reportsApi: Handle<typeof listReportsEndpoint> =
  endpointOf<typeof listReportsEndpoint>('GET /v1/scheduled-reports');
export const runsApi: Handle<typeof listRunsEndpoint> = endpointOf<typeof listRunsEndpoint>(
  'GET /v1/scheduled-reports/:id/runs',
);
export const membersApi: Handle<typeof getMembersEndpoint> = endpointOf<typeof getMembersEndpoint>(
  'GET /v1/organizations/:id/members',
);
export const channelsApi: Handle<typeof listChannelsEndpoint> =
  endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');
/** What the server can do, such as sending mail. */
export const methodsApi: Handle<typeof getMethodsEndpoint> =
  endpointOf<typeof getMethodsEndpoint>('GET /v1/auth/methods');

export const PERIODS: Readonly<Record<ReportPeriod, string>> = {
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
};
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

type Schedule = {
  readonly period: ReportPeriod;
  readonly day: number;
  readonly hour: number;
  readonly timeZone: string;
};

/** `Weekly, Monday 08:00 Europe/Berlin`. */
export function scheduleText({ period, day, hour, timeZone }: Schedule): string {
  const on = { day: '', week: `${WEEKDAYS[day - 1]} `, month: `day ${day}, ` }[period];
  return `${PERIODS[period]}, ${on}${String(hour).padStart(2, '0')}:00 ${timeZone.replaceAll('_', ' ')}`;
}
