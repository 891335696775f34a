import type { Score } from '../../src/core/scores/contract.ts';
import { operatorScope } from '../../src/core/tenancy/index.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<Score>[] = [
  { header: 'given', value: ({ createdAt }) => shortTime(Date.parse(createdAt)) },
  { header: 'score', value: ({ name }) => name },
  { header: 'value', value: ({ value }) => String(value) },
  { header: 'by', value: ({ author, source }) => author ?? source },
  { header: 'of', value: ({ traceId, sessionId }) => traceId ?? sessionId ?? '' },
  { header: 'comment', value: ({ comment }) => comment ?? '' },
];

export const scoresList = defineCommand({
  name: 'scores list',
  summary: 'List the newest scores of a project',
  options: {
    ...projectOption,
    name: { value: 'NAME', summary: 'Only scores of this name', short: 'n' },
    trace: { value: 'ID', summary: 'Only scores of this trace and its spans' },
  },
  examples: [
    'spanledger scores list --name helpful',
    'spanledger scores list -p assistant --trace 5b8efff798038103 --json',
  ],
  run: async (ctx) => {
    const { name, trace: traceId } = ctx.options;
    const { listScores } = await import('../../src/core/scores/index.ts');
    const { scores, nextCursor } = await withApp(ctx, async ({ ctx: app }) =>
      listScores(app, operatorScope(await chooseProject(app, ctx.options.project)), {
        name,
        traceId,
        limit: 200,
      }),
    );
    ctx.output.result({ scores, more: nextCursor !== null }, () => {
      if (scores.length === 0)
        return ctx.output.info('No scores; give one on the page of a trace or by the SDK');
      ctx.output.table(columns, scores);
    });
  },
});
