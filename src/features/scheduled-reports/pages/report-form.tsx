import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf, type Sent } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectSelect } from '../../../dashboard/shell/scope/project-select.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { zoneNames } from '../../../dashboard/shell/scope/zone-names.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { dimensionLabel } from '../../../lib/reports/labels.ts';
import type {
  createReportEndpoint,
  ReportPeriod,
  ScheduledReport,
  updateReportEndpoint,
} from '../contract.ts';
import { channelsApi, membersApi, methodsApi, PERIODS, reportsApi, runsApi, WEEKDAYS } from './apis.tsx';

const createApi = endpointOf<typeof createReportEndpoint>('POST /v1/scheduled-reports');
const updateApi = endpointOf<typeof updateReportEndpoint>('PUT /v1/scheduled-reports/:id');
type Body = Sent<typeof createReportEndpoint>['body'];

const DIMENSIONS = ['model', 'provider', 'userId', 'environment', 'agent', 'release'] as const;
const isPeriod = (text: string): text is ReportPeriod => text in PERIODS;

type Props = {
  /** Null for a new one. */
  readonly report: ScheduledReport | null;
  readonly onClose: () => void;
};

/** Creates or changes a scheduled report. */
export function ReportForm({ report, onClose }: Props): JSX.Element {
  const { organizationId, userId } = useMember();
  const here = useProjectId();
  const [projectId, setProjectId] = useState(report === null ? here : (report.projectId ?? ''));
  const [period, setPeriod] = useState<ReportPeriod>(report?.period ?? 'week');
  const [groupBy, setGroupBy] = useState<string[]>(report?.groupBy.filter((by) => !isTag(by)) ?? ['model']);
  const [people, setPeople] = useState<string[]>(
    report?.recipients.filter(({ email }) => email !== null).map((one) => one.userId) ?? [userId],
  );
  const [channels, setChannels] = useState<string[]>(report?.channelIds ?? []);
  const save = useChange<Body>({
    failed: 'The report was not saved',
    inForm: true,
    send: (body) =>
      report === null
        ? send(createApi, { query: { organizationId }, body })
        : send(updateApi, { params: { id: report.id }, query: { organizationId }, body }),
    stale: [reportsApi, runsApi],
    done: report === null ? 'The report was created' : 'The report was changed',
  });
  const form = useSubmit(async ({ name = '', tags = '', environment = '', day, hour, timeZone = '' }) => {
    const chosen = projectId === '' ? groupBy.filter((by) => by !== 'userId') : groupBy;
    await save.mutateAsync({
      name,
      projectId: projectId === '' ? null : projectId,
      environment: environment.trim() === '' ? null : environment.trim(),
      groupBy: [...chosen, ...tagsOf(tags)] as Body['groupBy'],
      period,
      day: Number(day ?? 1),
      hour: Number(hour),
      timeZone,
      memberIds: people,
      channelIds: channels,
      paused: report?.paused ?? false,
    });
    onClose();
  });
  return (
    <FormDialog
      title={report === null ? 'New report' : `Edit ${report.name}`}
      form={form}
      submit={report === null ? 'Create report' : 'Save'}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        name="name"
        defaultValue={report?.name ?? ''}
        placeholder="Weekly costs"
        maxLength={200}
        required
        data-autofocus
      />
      <Group grow gap="sm" align="start">
        <ProjectSelect label="Costs of" all value={projectId} onChange={setProjectId} />
        <TextInput
          label="Environment"
          name="environment"
          placeholder="All"
          defaultValue={report?.environment ?? ''}
          maxLength={200}
        />
      </Group>
      <Schedule report={report} period={period} onPeriod={setPeriod} />
      <Checkbox.Group label="Costs by" value={groupBy} onChange={setGroupBy}>
        <Group gap="sm" mt={4}>
          {DIMENSIONS.map((by) => (
            <Checkbox
              key={by}
              value={by}
              label={dimensionLabel(by)}
              size="xs"
              disabled={by === 'userId' && projectId === ''}
            />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        label="And by tags"
        name="tags"
        description="Names with commas between; up to four dimensions in all"
        inputWrapperOrder={['label', 'input', 'description']}
        placeholder="feature, team"
        defaultValue={report?.groupBy.filter(isTag).map(tagName).join(', ') ?? ''}
      />
      <Recipients {...{ people, setPeople, channels, setChannels }} />
    </FormDialog>
  );
}

const TAG = 'tag:';
const isTag = (by: string): boolean => by.startsWith(TAG);
const tagName = (by: string): string => by.slice(TAG.length);
const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => TAG + name);

type ScheduleProps = {
  readonly report: ScheduledReport | null;
  readonly period: ReportPeriod;
  readonly onPeriod: (period: ReportPeriod) => void;
};

const numbers = (from: number, to: number, text: (value: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ value: String(from + i), label: text(from + i) }));
const DAYS = {
  week: numbers(1, 7, (day) => WEEKDAYS[day - 1] ?? ''),
  month: numbers(1, 28, String),
};

function Schedule({ report, period, onPeriod }: ScheduleProps): JSX.Element {
  const own = useZone();
  const [zones] = useState(() => [...new Set(['UTC', own, report?.timeZone ?? own, ...zoneNames()])]);
  return (
    <>
      <Group grow gap="sm" align="start">
        <NativeSelect
          label="Period"
          value={period}
          onChange={({ currentTarget: { value } }) => isPeriod(value) && onPeriod(value)}
          data={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
        />
        {period !== 'day' && (
          <NativeSelect
            key={period}
            label={period === 'week' ? 'Sent on' : 'Sent on day'}
            name="day"
            defaultValue={report?.period === period ? String(report.day) : '1'}
            data={DAYS[period]}
          />
        )}
        <NativeSelect
          label="At"
          name="hour"
          defaultValue={String(report?.hour ?? 8)}
          data={numbers(0, 23, (hour) => `${String(hour).padStart(2, '0')}:00`)}
        />
      </Group>
      <NativeSelect
        label="Time zone"
        name="timeZone"
        description="Of the hour, and of the days that a report covers"
        inputWrapperOrder={['label', 'input', 'description']}
        defaultValue={report?.timeZone ?? own}
        data={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      />
    </>
  );
}

type RecipientsProps = {
  readonly people: string[];
  readonly setPeople: (ids: string[]) => void;
  readonly channels: string[];
  readonly setChannels: (ids: string[]) => void;
};

function Recipients({ people, setPeople, channels, setChannels }: RecipientsProps): JSX.Element {
  const { organizationId } = useMember();
  const members = useApi(membersApi, { params: { id: organizationId } }).data?.members ?? [];
  const known = useApi(channelsApi, { query: { organizationId } }).data?.channels ?? [];
  const sendsMail = useApi(methodsApi, {}).data?.mail ?? true;
  return (
    <>
      <Checkbox.Group
        label="Mail to members"
        description={sendsMail ? undefined : 'This server sends no mail. Its operator can set SMTP_URL.'}
        value={people}
        onChange={setPeople}
      >
        <Stack gap="xs" mt={4}>
          {members.map(({ userId, email, name }) => (
            <Checkbox
              key={userId}
              value={userId}
              label={name === email ? email : `${name} · ${email}`}
              size="xs"
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {known.length > 0 && (
        <Checkbox.Group
          label="Channels"
          description="They get no ids of end users"
          value={channels}
          onChange={setChannels}
        >
          <Stack gap="xs" mt={4}>
            {known.map(({ id, name, kind }) => (
              <Checkbox key={id} value={id} label={`${name} · ${kind}`} size="xs" />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
