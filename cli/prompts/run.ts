import { z } from 'zod';
import { callEndSchema } from '../../src/core/models/contract.ts';
import { durationText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { EXIT, usageError } from '../user-error.ts';

const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.unknown() });
const reply = callEndSchema.extend({ text: z.string(), toolCalls: z.array(toolCall) });

export const promptsRun = defineCommand({
  name: 'prompts run',
  summary: 'Fill a prompt, call a model with it, and show the answer and what it cost',
  args: { prompt: { summary: 'Name of the prompt' } },
  options: {
    ...projectOption,
    at: { value: 'LABEL', summary: 'Label or number of a version', default: 'production' },
    model: {
      value: 'MODEL',
      summary: 'Model as `models list` names it; else that of the version',
      short: 'm',
    },
    var: { value: 'NAME=TEXT', summary: 'Value of a variable; repeat it for others', repeat: true },
    vars: { value: 'FILE', summary: 'JSON file with the values of variables; - reads standard input' },
  },
  examples: [
    'spanledger prompts run support/triage --var ticket="My parcel is late"',
    'spanledger prompts run support/triage --at 4 --vars values.json --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { at, model = null } = options;
    const wanted = /^\d+$/.test(at) ? { version: Number(at) } : { label: at };
    const variables = { ...(await readFileValues(options.vars)), ...readValues(options.var) };
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const input = { project, prompt: { name: args.prompt, ...wanted }, model, variables, config: {} };
    const end = await act(ctx, { action: 'prompts.run', input, reply });
    output.result(end, () => {
      if (end.text !== '') output.line(end.text);
      for (const call of end.toolCalls) output.line(`${call.name}(${JSON.stringify(call.arguments)})`);
      if (end.outputProblem !== null)
        output.warn(`The output does not match the schema: ${end.outputProblem}`);
      const cost = end.costUsd === null ? 'cost unknown' : `$${end.costUsd.toFixed(9)}`;
      const facts = `${end.model}, ${end.inputTokens} → ${end.outputTokens} tokens, ${cost}, ${durationText(end.latencyMs)}, event ${end.eventId}`;
      if (end.status === 'success') output.success(facts);
      else output.warn(`${end.status}: ${end.error ?? ''} (${facts})`);
    });
    return end.status === 'success' && end.outputProblem === null ? EXIT.ok : EXIT.failure;
  },
});

function readValues(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw usageError(`${text} is no value of a variable`, 'Pass NAME=TEXT, such as --var ticket=late');
      return [name, value];
    }),
  );
}

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

async function readFileValues(path: string | undefined): Promise<Record<string, string>> {
  if (path === undefined) return {};
  try {
    return values.parse(JSON.parse(path === '-' ? await Bun.stdin.text() : await Bun.file(path).text()));
  } catch {
    throw usageError(
      `${path === '-' ? 'Standard input' : path} has no values of variables`,
      'Write a JSON object such as {"ticket": "late"}',
    );
  }
}
