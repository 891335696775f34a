import type { Evaluator } from '../../src/core/evaluators/contract.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<Evaluator>[] = [
  { header: 'evaluator', value: ({ name }) => name },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'score', value: ({ scoreName }) => scoreName },
  { header: 'version', value: ({ version }) => String(version) },
  { header: 'id', value: ({ id }) => id },
];

export const evaluatorsList = defineCommand({
  name: 'evaluators list',
  summary: 'List the evaluators of a project by name',
  options: projectOption,
  examples: ['spanledger evaluators list', 'spanledger evaluators list -p assistant --json'],
  run: async (ctx) => {
    const { listEvaluators } = await import('../../src/core/evaluators/index.ts');
    const evaluators = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      return listEvaluators(app, id);
    });
    ctx.output.result({ evaluators }, () => {
      if (evaluators.length === 0)
        return ctx.output.info('No evaluators; create one with POST /v1/evaluators');
      ctx.output.table(columns, evaluators);
    });
  },
});
