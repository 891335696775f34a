import type { ErrorsReply } from '../../src/features/analytics/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { bar, type Cell, number } from '../format.ts';
import { shortDay } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { defineReport } from './define-report.ts';
import { heat, percent, tinted } from './figures.ts';
import { facts, section } from './pieces.ts';

type Group = ErrorsReply['errorGroups'][number];

export const reportErrors = defineReport<ErrorsReply, ErrorsReply, Group>({
  name: 'errors',
  summary: 'Errors by code with their trend, and rate limits by hour',
  load: async () => (await import('../../src/features/analytics/index.ts')).readErrors,
  ask: async (server, query) =>
    server.get((await import('../../src/features/analytics/contract.ts')).errorsEndpoint, { query }),
  calls: ({ totalCalls }) => totalCalls,
  see: (doc) => doc,
  render: (output, doc) => {
    facts(output, [
      { label: 'Errors', value: number(doc.totalErrors), note: `of ${number(doc.totalCalls).text} calls` },
      { label: 'Error rate', value: percent(doc.errorRate) },
    ]);
    if (doc.errorGroups.length > 0) printGroups(output, doc);
    if (doc.rateLimitHeatmap.length > 0) printHeatmap(output, doc);
  },
  csv: {
    columns: [
      { header: 'error_code', value: ({ error_code }) => error_code },
      { header: 'count', value: ({ count }) => count },
      { header: 'trend', value: ({ trend }) => trend },
      { header: 'top_model', value: ({ top_model }) => top_model },
    ],
    rows: ({ errorGroups }) => errorGroups,
  },
});

const trends: Readonly<Record<Group['trend'], Cell>> = {
  increasing: { text: '↑ increasing', tone: 'bad' },
  stable: { text: '→ stable', tone: 'dim' },
  decreasing: { text: '↓ decreasing', tone: 'good' },
};

const printGroups = (output: Output, { errorGroups, otherGroups }: ErrorsReply): void => {
  const top = errorGroups[0]?.count ?? 0;
  const columns: Column<Group>[] = [
    { header: 'code', value: ({ error_code }) => error_code },
    { header: 'count', value: ({ count }) => count },
    { header: 'trend', value: ({ trend }) => trends[trend], fixed: true },
    { header: 'top model', value: ({ top_model }) => top_model },
    {
      header: '',
      value: ({ count }) => bar(count, top, output.columns < 100 ? 8 : 30),
      fixed: true,
      spare: true,
    },
  ];
  section(output, 'By code', 'trend: failures per call, last third of the window against the first');
  output.table(columns, errorGroups);
  if (otherGroups !== undefined)
    output.line(
      tinted(
        `and ${countText(otherGroups.groups, 'other code')}: ${countText(otherGroups.count, 'call')}`,
        'dim',
      ),
    );
};

const MOST_DAYS = 14;

interface Day {
  readonly start: number;
  readonly hours: readonly number[];
}

/** Days with rate limits as rows of 24 hours; other days are omitted. */
const printHeatmap = (output: Output, { rateLimitHeatmap }: ErrorsReply): void => {
  const byDay = Map.groupBy(rateLimitHeatmap, ({ hour }) => Math.floor(Date.parse(hour) / DAY_MS) * DAY_MS);
  const days: Day[] = [...byDay].map(([start, hits]) => {
    const hours = new Array<number>(24).fill(0);
    for (const { hour, rate_limited_count } of hits)
      hours[Math.floor((Date.parse(hour) - start) / HOUR_MS)] = rate_limited_count;
    return { start, hours };
  });
  const shown = days.slice(-MOST_DAYS);
  const max = Math.max(...rateLimitHeatmap.map(({ rate_limited_count }) => rate_limited_count));
  const columns: Column<Day>[] = [
    { header: 'day', value: ({ start }) => tinted(shortDay(start), 'dim'), fixed: true },
    { header: '0     6     12    18', value: ({ hours }) => tinted(heat(hours, max), 'accent'), fixed: true },
    { header: 'calls', value: ({ hours }) => hours.reduce((sum, count) => sum + count, 0) },
  ];
  const more = days.length - shown.length;
  const note = more > 0 ? `by hour, UTC; the last ${MOST_DAYS} of ${days.length} days` : 'by hour, UTC';
  section(output, 'Rate limits', `${note}; █ is ${number(max).text}`);
  output.table(columns, shown);
};
