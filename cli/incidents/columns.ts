import type { Incident, IncidentSummary } from '../../src/features/incidents/contract.ts';
import { durationText } from '../../src/lib/figures.ts';
import type { Cell } from '../format.ts';
import type { ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import type { Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';

const severityCell = (severity: IncidentSummary['severity']): Cell =>
  tinted(severity, severity === 'critical' ? 'bad' : 'warn');
const statusCell = (status: IncidentSummary['status']): Cell =>
  tinted(status, status === 'resolved' ? 'good' : status === 'acknowledged' ? 'accent' : 'bold');

/** One incident per row. */
export const incidentColumns: readonly ListColumn<IncidentSummary>[] = [
  { header: '#', value: ({ number }) => number, fixed: true },
  { header: 'status', value: ({ status }) => statusCell(status), fixed: true },
  { header: 'severity', value: ({ severity }) => severityCell(severity), fixed: true },
  { header: 'title', value: ({ title }) => title },
  { header: 'assignee', value: ({ assignee }) => assignee?.name ?? null, rank: 2 },
  {
    header: 'started',
    value: ({ startedAt }) => tinted(shortTime(Date.parse(startedAt)), 'dim'),
    fixed: true,
  },
  {
    header: 'lasted',
    value: ({ startedAt, resolvedAt }) =>
      durationText((resolvedAt === null ? Date.now() : Date.parse(resolvedAt)) - Date.parse(startedAt)),
    rank: 3,
  },
];

/** An incident with its timeline. */
export function printIncident(output: Output, incident: Incident): void {
  const { number, title, status, severity, startedAt, resolvedAt, assignee, alerts, timeline, notes } =
    incident;
  output.line(tinted(`#${number} ${title}`, 'bold'));
  output.raw('\n');
  facts(output, [
    { label: 'Status', value: statusCell(status) },
    { label: 'Severity', value: severityCell(severity) },
    { label: 'Started', value: { text: shortTime(Date.parse(startedAt)) } },
    ...(resolvedAt === null
      ? []
      : [{ label: 'Resolved', value: { text: shortTime(Date.parse(resolvedAt)) } }]),
    { label: 'Assignee', value: { text: assignee?.name ?? 'nobody' } },
    ...(incident.filter === '' ? [] : [{ label: 'Calls', value: { text: incident.filter } }]),
  ]);
  if (alerts.length > 0) {
    section(output, 'Alerts');
    output.table(
      [
        {
          header: 'state',
          value: ({ state }) => tinted(state, state === 'firing' ? 'bad' : 'good'),
          fixed: true,
        },
        { header: 'alert', value: ({ summary }) => summary },
      ],
      alerts,
    );
  }
  section(output, 'Timeline');
  output.table(
    [
      { header: 'time', value: ({ at }) => tinted(shortTime(Date.parse(at)), 'dim'), fixed: true },
      { header: 'what', value: ({ kind }) => kind.replaceAll('_', ' '), fixed: true },
      { header: 'who', value: ({ person, by }) => person?.name ?? by },
      { header: 'text', value: ({ text }) => text },
    ],
    timeline,
  );
  if (notes !== '') {
    section(output, 'Notes');
    for (const line of notes.split('\n')) output.line({ text: line });
  }
}
