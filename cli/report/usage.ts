import type { Usage } from '../../src/features/usage/contract.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { bytesText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { shortDay, utcTime } from '../moment.ts';
import { readOfOrganization } from '../organization.ts';
import type { Output } from '../output.ts';
import { usageError } from '../user-error.ts';
import { chart } from './chart.ts';
import { compact, percent, tinted } from './figures.ts';
import { facts, section } from './pieces.ts';

const csv: readonly CsvColumn<Usage['daily'][number]>[] = [
  { header: 'date', value: ({ date }) => date },
  { header: 'events', value: ({ events }) => events },
  { header: 'bytes', value: ({ bytes }) => bytes },
];

export const reportUsage = defineCommand({
  name: 'report usage',
  summary: 'Events and data used of the monthly limits, with a forecast',
  options: {
    org: { value: 'ORG', summary: 'Id or name; optional if there is only one' },
    csv: { summary: 'Print the days as CSV' },
  },
  examples: ['spanledger report usage', 'spanledger report usage --org acme --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    if (options.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
    const [{ readUsage }, { usageEndpoint }] = await Promise.all([
      import('../../src/features/usage/index.ts'),
      import('../../src/features/usage/contract.ts'),
    ]);
    const { name, usage } = await readOfOrganization<{ name: string; usage: Usage }>(ctx, options.org, {
      file: async (app, { id, name }) => ({ name, usage: await readUsage(app, id) }),
      server: async (server, { id, name }) => ({
        name,
        usage: await server.get(usageEndpoint, { params: { id } }),
      }),
    });
    if (options.csv) return output.raw(toCsv(csv, usage.daily));
    output.result(usage, () => print(output, name, usage));
  },
});

const print = (output: Output, name: string, usage: Usage): void => {
  const { used, limit, remaining, forecast, exhaustedAt, bytes, resetsAt, plan, daily, warnings } = usage;
  output.line(tinted(`Usage of ${name}`, 'bold'), tinted(`· ${usage.month}, UTC · plan ${plan}`, 'dim'));
  output.raw('\n');
  const ends = `until ${utcTime(Date.parse(resetsAt))}`;
  const known = forecast === null ? 'known after a full day' : 'within the limit';
  const full = exhaustedAt === null ? known : `limit reached on ${utcTime(Date.parse(exhaustedAt))}`;
  facts(output, [
    {
      label: 'Events so far',
      value: number(used),
      note: `${percent(limit === 0 ? 1 : used / limit).text} of the month`,
    },
    { label: 'Limit', value: number(limit) },
    { label: 'Left', value: number(remaining), note: ends },
    { label: 'Forecast', value: number(forecast), note: full },
    {
      label: 'Data so far',
      value: { text: bytesText(bytes.used), align: 'right' },
      note: `${percent(bytes.percent / 100).text} of ${bytesText(bytes.limit)}`,
    },
  ]);
  for (const { unit, threshold, at } of warnings)
    output.warn(`${threshold} % of the ${unit} used on ${utcTime(Date.parse(at))}`);
  if (daily.every(({ events }) => events === 0)) return;
  section(output, 'Per day', 'by time of receipt');
  const points = daily.map(({ date, events }) => ({ label: shortDay(Date.parse(date)), value: events }));
  for (const line of chart(points, { columns: output.columns, format: (events) => compact(events).text }))
    output.line(...line);
};
