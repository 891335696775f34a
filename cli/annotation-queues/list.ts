import type { AnnotationQueue } from '../../src/core/annotation-queues/contract.ts';
import { operatorScope } from '../../src/core/tenancy/index.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<AnnotationQueue>[] = [
  { header: 'queue', value: ({ name }) => name },
  { header: 'scores', value: ({ scoreNames }) => scoreNames.join(', ') },
  { header: 'items', value: ({ items }) => items },
  { header: 'done', value: ({ done }) => done },
  { header: 'people per item', value: ({ annotators }) => annotators },
  { header: 'annotations', value: ({ annotations }) => annotations },
  { header: 'id', value: ({ id }) => id },
];

export const annotationQueuesList = defineCommand({
  name: 'annotation-queues list',
  summary: 'List annotation queues with their progress',
  options: projectOption,
  examples: ['spanledger annotation-queues list', 'spanledger annotation-queues list -p assistant --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { listQueues } = await import('../../src/core/annotation-queues/index.ts');
    const queues = await withApp(ctx, async ({ ctx: app }) =>
      listQueues(app, operatorScope(await chooseProject(app, options.project)), 'operator'),
    );
    // The part of a person: the operator has none.
    const listed = queues.map(({ mine: _, ...queue }) => queue);
    output.result({ queues: listed }, () => {
      if (queues.length === 0) return output.info('No annotation queues; create one in the dashboard');
      output.table(columnsThatFit(columns, queues, output.columns), queues);
    });
  },
});
