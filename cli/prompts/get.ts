import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

export const promptsGet = defineCommand({
  name: 'prompts get',
  summary: 'Print a prompt with its includes resolved, as applications get it',
  args: { prompt: { summary: 'Name of the prompt' } },
  options: {
    ...projectOption,
    at: { value: 'LABEL', summary: 'Label or number of a version', default: 'production' },
  },
  examples: ['spanledger prompts get support/triage', 'spanledger prompts get support/triage --at 3 --json'],
  run: async (ctx) => {
    const { at } = ctx.options;
    const wanted = /^\d+$/.test(at) ? { version: Number(at) } : { label: at };
    const { compileVersions } = await import('../../src/core/prompts/index.ts');
    const found = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      return compileVersions(app, id, { name: ctx.args.prompt, ...wanted });
    });
    ctx.output.result(found, () => {
      const many = found.candidates.length > 1;
      for (const { version: number, weight, template, messages } of found.candidates) {
        if (many) ctx.output.raw(`# version ${number}, weight ${weight}\n`);
        ctx.output.raw(
          messages === undefined
            ? `${template}\n`
            : messages.map(({ role, content }) => `${role}: ${content}\n`).join('\n'),
        );
      }
    });
  },
});
