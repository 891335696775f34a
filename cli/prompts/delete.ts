import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

export const promptsDelete = defineCommand({
  name: 'prompts delete',
  summary: 'Delete a prompt with all its versions and labels',
  args: { prompt: { summary: 'Name of the prompt' } },
  options: { ...projectOption, yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger prompts delete support/triage', 'spanledger prompts delete support/triage --yes'],
  run: async (ctx) => {
    const name = ctx.args.prompt;
    const { readPrompt } = await import('../../src/core/prompts/index.ts');
    const project = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      await readPrompt(app, id, name);
      return id;
    });
    const warning = `The prompt ${name} with all its versions will be deleted; applications use what they have.`;
    await confirm(ctx, { warning, word: name, yes: ctx.options.yes });
    const reply = z.object({ name: z.string() });
    const doc = await act(ctx, { action: 'prompts.delete', input: { project, name }, reply });
    ctx.output.result(doc, () => ctx.output.success(`The prompt ${name} is deleted`));
  },
});
