import { silenceSchema } from '../../src/features/alerts/silences/contract.ts';
import { formatInstant } from '../../src/lib/time.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { silenceColumns } from './list.ts';

const MINUTES_OF_A_YEAR = 525_600;

export const silencesCreate = defineCommand({
  name: 'silences create',
  summary: 'Hold back the notifications of an alert, or of all alerts of a project',
  args: { reason: { summary: 'Why' } },
  options: {
    ...projectOption,
    alert: { value: 'ID', summary: 'Only this alert', id: 'alert' },
    group: { value: 'GROUP', summary: 'Only this group of --alert' },
    minutes: {
      value: 'N',
      summary: 'How long, in minutes',
      type: wholeNumber(1, MINUTES_OF_A_YEAR),
      default: '60',
    },
  },
  examples: [
    'spanledger silences create "Planned maintenance" --minutes 120',
    'spanledger silences create "Known outage" --group gpt-4o \\\n    --alert alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { alert, group, minutes } = options;
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const silence = {
      reason: args.reason,
      until: formatInstant(Date.now() + minutes * 60_000),
      ...(alert !== undefined && { alertId: alert }),
      ...(group !== undefined && { group }),
    };
    const input = { project, silence };
    const made = await act(ctx, { action: 'silences.create', input, reply: silenceSchema });
    output.result(made, () => {
      output.table(columnsThatFit(silenceColumns, [made], output.columns), [made]);
      output.success(`Silence ${made.id} created`);
    });
  },
});
