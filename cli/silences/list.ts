import type { Silence } from '../../src/features/alerts/silences/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

/** One silence per row. */
export const silenceColumns: readonly ListColumn<Silence>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'alert', value: ({ alert }) => alert ?? 'all' },
  { header: 'group', value: ({ group }) => group, rank: 2 },
  { header: 'until', value: ({ until }) => shortTime(Date.parse(until)), fixed: true },
  { header: 'reason', value: ({ reason }) => reason, rank: 1 },
];

export const silencesList = defineCommand({
  name: 'silences list',
  summary: 'List the silences of a project that have not ended',
  options: projectOption,
  examples: ['spanledger silences list', 'spanledger silences list --json'],
  run: async (ctx) => {
    const { output, options } = ctx;
    const { listSilences } = await import('../../src/features/alerts/index.ts');
    const silences = await withApp(ctx, async ({ ctx: app }) =>
      listSilences(app, (await chooseProject(app, options.project)).id),
    );
    output.result({ silences }, () => {
      if (silences.length === 0) return output.info('No silences');
      output.table(columnsThatFit(silenceColumns, silences, output.columns), silences);
    });
  },
});
