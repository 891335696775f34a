import { type RuleInput, ruleInput, ruleSchema } from '../../src/core/online-rules/contract.ts';
import { parseInput } from '../../src/http/validate.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { readSource } from '../read-source.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { ruleColumns } from './columns.ts';

export const onlineRulesCreate = defineCommand({
  name: 'online-rules create',
  summary: 'Create a rule that judges new traces, from a file',
  options: {
    ...projectOption,
    file: {
      value: 'FILE',
      summary: 'JSON or YAML, as the API takes it; - is stdin',
      short: 'f',
      required: true,
    },
  },
  examples: [
    'spanledger online-rules create --file tone.json',
    'spanledger online-rules create -p assistant -f - < tone.yaml',
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    const rule = await readRuleFile(ctx, options.file);
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const made = await act(ctx, {
      action: 'rules.create',
      input: { project, rule },
      reply: ruleSchema,
    });
    output.result(made, () => {
      output.table(columnsThatFit(ruleColumns, [made], output.columns), [made]);
      output.success(`Online rule ${made.name} created`);
    });
  },
});

/** A rule from a file. @throws {UserError} usage (2) if it cannot be read or is none */
async function readRuleFile(ctx: BaseContext, from: string): Promise<RuleInput> {
  const text = await readSource(ctx, from);
  try {
    // JSON is YAML too.
    return parseInput(ruleInput, Bun.YAML.parse(text));
  } catch (error) {
    throw usageError(
      `${from}: ${error instanceof Error ? error.message : String(error)}`,
      'Write one rule as POST /v1/online-rules takes it; `spanledger evaluators list` has ids of evaluators',
    );
  }
}
