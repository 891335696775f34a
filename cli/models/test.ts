import { z } from 'zod';
import { callEndSchema } from '../../src/core/models/contract.ts';
import { durationText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { EXIT } from '../user-error.ts';

const reply = callEndSchema.extend({ text: z.string() });

export const modelsTest = defineCommand({
  name: 'models test',
  summary: 'Call a model once, and show its answer and what it cost; the call is an event of the project',
  args: { model: { summary: 'Model as `models list` names it' } },
  options: {
    ...projectOption,
    message: { value: 'TEXT', summary: 'What to ask', default: 'Reply with the word OK.' },
  },
  examples: [
    'spanledger models test openai/gpt-4o-mini',
    'spanledger models test local/llama3.3 --message "Capital of France?" --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const input = { project, model: args.model, message: options.message };
    const end = await act(ctx, { action: 'models.test', input, reply });
    output.result(end, () => {
      if (end.text !== '') output.line(end.text);
      const cost =
        end.costUsd === null ? 'cost unknown' : `$${end.costUsd.toFixed(9).replace(/0{1,5}$/, '')}`;
      const facts = `${end.inputTokens} → ${end.outputTokens} tokens, ${cost}, ${durationText(end.latencyMs)}, event ${end.eventId}`;
      if (end.status === 'success') output.success(facts);
      else output.warn(`${end.status}: ${end.error ?? ''} (${facts})`);
    });
    return end.status === 'success' ? EXIT.ok : EXIT.failure;
  },
});
