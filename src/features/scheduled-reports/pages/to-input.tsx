import type { Sent } from '../../../dashboard/shell/endpoint.ts';
import type { ScheduledReport, updateReportEndpoint } from '../contract.ts';

type Body = Sent<typeof updateReportEndpoint>['body'];

/** A report as it is sent, without people who are not members any more. */
export const toInput = ({
  name,
  projectId,
  environment,
  groupBy,
  period,
  day,
  hour,
  timeZone,
  recipients,
  channelIds,
  paused,
}: ScheduledReport): Body => ({
  name,
  projectId,
  environment,
  groupBy: groupBy as Body['groupBy'],
  period,
  day,
  hour,
  timeZone,
  memberIds: recipients.filter(({ email }) => email !== null).map(({ userId }) => userId),
  channelIds,
  paused,
});
