import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

export const promptsDiff = defineCommand({
  name: 'prompts diff',
  summary: 'Compare two versions of a prompt line by line',
  args: {
    prompt: { summary: 'Name of the prompt' },
    from: { summary: 'Version by number or label' },
    to: { summary: 'Version by number or label' },
  },
  options: projectOption,
  examples: [
    'spanledger prompts diff support/triage production latest',
    'spanledger prompts diff support/triage 2 3 --json',
  ],
  run: async (ctx) => {
    const { prompt: name, from, to } = ctx.args;
    const { diffVersions } = await import('../../src/core/prompts/index.ts');
    const diff = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      return diffVersions(app, id, { name, from, to });
    });
    ctx.output.result(diff, () => {
      if (diff.isSame) return ctx.output.info(`Versions ${diff.from} and ${diff.to} say the same`);
      for (const { name: part, lines } of diff.parts) {
        if (lines.every(({ kind }) => kind === 'same')) continue;
        ctx.output.raw(`# ${part}\n${lines.map(({ kind, text }) => `${SIGNS[kind]} ${text}\n`).join('')}`);
      }
    });
  },
});
