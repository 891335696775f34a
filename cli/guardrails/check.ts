import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { readSource } from '../read-source.ts';
import { withApp } from '../session.ts';

export const guardrailsCheck = defineCommand({
  name: 'guardrails check',
  summary: 'Check a text with the guardrails of a project; nothing is kept',
  args: { file: { summary: 'File with the text; - is stdin' } },
  options: {
    ...projectOption,
    output: { summary: 'Check it as the output of a model, not as input' },
    guardrail: { value: 'NAME', summary: 'Only this guardrail', short: 'g' },
  },
  examples: [
    'spanledger guardrails check prompt.txt',
    "echo 'my card is 4539 5787 6362 1486' | spanledger guardrails check - --json",
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const text = await readSource(ctx, args.file);
    const { tryGuardrails } = await import('../../src/core/guardrails/index.ts');
    const stage = options.output === true ? 'output' : 'input';
    const verdict = await withApp(ctx, async ({ ctx: app }) => {
      const { id: projectId, organizationId } = await chooseProject(app, options.project);
      return tryGuardrails(app, { projectId, organizationId }, { text, stage, guardrail: options.guardrail });
    });
    output.result(verdict, () => {
      for (const { guardrail, check, action, matches, error } of verdict.results) {
        const types = [...new Set(matches.map(({ type }) => type))].join(', ');
        output.info(
          `${guardrail} ${check}: ${action}${types === '' ? '' : ` (${types})`}${error === undefined ? '' : `; ${error}`}`,
        );
      }
      if (verdict.text !== undefined) output.info(verdict.text);
      output.success(`${verdict.action}, in ${verdict.durationMs.toFixed(1)} ms`);
    });
  },
});
