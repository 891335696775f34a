import { guardrailSchema } from '../../src/core/guardrails/contract.ts';
import { type GuardrailInput, guardrailInput } from '../../src/core/guardrails/input/contract.ts';
import { parseInput } from '../../src/http/validate.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { readSource } from '../read-source.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { guardrailColumns } from './columns.ts';

export const guardrailsCreate = defineCommand({
  name: 'guardrails create',
  summary: 'Create a guardrail from a file',
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
    'spanledger guardrails create --file pii.json',
    `echo '{"name":"pii","checks":[…]}' | spanledger guardrails create -f -`,
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    const guardrail = await readGuardrailFile(ctx, options.file);
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const input = { project, guardrail };
    const made = await act(ctx, { action: 'guardrails.create', input, reply: guardrailSchema });
    output.result(made, () => {
      output.table(columnsThatFit(guardrailColumns, [made], output.columns), [made]);
      output.success(`Guardrail ${made.name} created`);
    });
  },
});

/** A guardrail from a file. @throws {UserError} usage (2) if it cannot be read or is none */
async function readGuardrailFile(ctx: BaseContext, from: string): Promise<GuardrailInput> {
  const text = await readSource(ctx, from);
  try {
    // JSON is YAML too.
    return parseInput(guardrailInput, Bun.YAML.parse(text));
  } catch (error) {
    throw usageError(
      `${from}: ${error instanceof Error ? error.message : String(error)}`,
      'Write one guardrail as POST /v1/guardrails takes it',
    );
  }
}
