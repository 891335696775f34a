import type { IncidentStats } from '../../src/features/incidents/contract.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { durationText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { bar, type Cell, number } from '../format.ts';
import type { Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { facts, section } from './pieces.ts';

type Week = IncidentStats['weeks'][number];

const csv: readonly CsvColumn<Week>[] = [
  { header: 'week', value: ({ week }) => week },
  { header: 'incidents', value: ({ incidents }) => incidents },
  { header: 'critical', value: ({ critical }) => critical },
  { header: 'acknowledged', value: ({ acknowledged }) => acknowledged },
  { header: 'resolved', value: ({ resolved }) => resolved },
  { header: 'mtta_ms', value: ({ mttaMs }) => mttaMs },
  { header: 'mttr_ms', value: ({ mttrMs }) => mttrMs },
];

export const reportIncidents = defineCommand({
  name: 'report incidents',
  summary: 'Incidents by week, with mean times to acknowledge and to resolve',
  options: {
    ...projectOption,
    start: {
      ...windowOptions.start,
      summary: 'From: 7d, 24h, 2026-01-31 or an ISO 8601 time; 12 weeks by default',
    },
    end: windowOptions.end,
    csv: { summary: 'Print the weeks as CSV' },
  },
  examples: ['spanledger report incidents', 'spanledger report incidents --start 26w --csv >incidents.csv'],
  run: async (ctx) => {
    const { options, output } = ctx;
    if (options.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
    const window = parseWindow(options, Date.now());
    const [{ readStats }, { incidentStatsEndpoint }] = await Promise.all([
      import('../../src/features/incidents/index.ts'),
      import('../../src/features/incidents/contract.ts'),
    ]);
    const stats = await readOfProject(ctx, options.project, {
      file: (app, _scope, { id }) =>
        readStats(app, id, {
          ...(window.start === undefined ? {} : { from: window.start }),
          ...(window.end === undefined ? {} : { to: window.end + 1 }),
        }),
      server: (server, { id }) =>
        server.get(incidentStatsEndpoint, { query: { projectId: id, ...toQuery(window) } }),
    });
    if (options.csv) return output.raw(toCsv(csv, stats.weeks));
    output.result(stats, () => print(output, stats));
  },
});

const lasted = (ms: number | null): Cell => ({ text: ms === null ? '–' : durationText(ms), align: 'right' });

const print = (output: Output, { total, weeks, open }: IncidentStats): void => {
  facts(output, [
    { label: 'Incidents', value: number(total.incidents), note: `${total.critical} critical` },
    { label: 'Not resolved now', value: number(open) },
    { label: 'Time to acknowledge', value: lasted(total.mttaMs), note: `mean of ${total.acknowledged}` },
    { label: 'Time to resolve', value: lasted(total.mttrMs), note: `mean of ${total.resolved}` },
  ]);
  if (total.incidents === 0) return;
  const most = Math.max(...weeks.map(({ incidents }) => incidents));
  section(output, 'Per week', 'from Monday, UTC');
  output.table<Week>(
    [
      { header: 'week', value: ({ week }) => week, fixed: true },
      { header: 'incidents', value: ({ incidents }) => incidents },
      { header: 'critical', value: ({ critical }) => critical },
      { header: 'to acknowledge', value: ({ mttaMs }) => lasted(mttaMs) },
      { header: 'to resolve', value: ({ mttrMs }) => lasted(mttrMs) },
      { header: '', value: ({ incidents }) => bar(incidents, most, 20), fixed: true, spare: true },
    ],
    weeks,
  );
};
