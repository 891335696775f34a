import type { Prompt } from '../../src/core/prompts/contract.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<Prompt>[] = [
  { header: 'prompt', value: ({ name }) => name },
  { header: 'type', value: ({ type }) => type },
  { header: 'latest', value: ({ latestVersion }) => (latestVersion === null ? '' : String(latestVersion)) },
  { header: 'labels', value: ({ labels }) => labels.map(labelText).join(', ') },
  { header: 'changed', value: ({ updatedAt }) => shortTime(Date.parse(updatedAt)) },
];

/** `production 3`, or of a split `production 3:90 4:10`. */
export const labelText = ({ label, versions }: Prompt['labels'][number]): string =>
  `${label} ${versions.map(({ version, weight }) => (versions.length === 1 ? version : `${version}:${weight}`)).join(' ')}`;

export const promptsList = defineCommand({
  name: 'prompts list',
  summary: 'List the prompts of a project by name',
  options: {
    ...projectOption,
    search: { value: 'TEXT', summary: 'Only prompts whose name, description or tags contain it', short: 's' },
    tag: { value: 'TAG', summary: 'Only prompts with this tag' },
  },
  examples: ['spanledger prompts list', 'spanledger prompts list -p assistant --search support --json'],
  run: async (ctx) => {
    const { search: q, tag } = ctx.options;
    const { listPrompts } = await import('../../src/core/prompts/index.ts');
    const { prompts, nextCursor } = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      return listPrompts(app, id, { q, tag, limit: 1_000 });
    });
    ctx.output.result({ prompts, more: nextCursor !== null }, () => {
      if (prompts.length === 0)
        return ctx.output.info('No prompts; create one on the page Prompts, or push a folder of files');
      ctx.output.table(columns, prompts);
    });
  },
});
