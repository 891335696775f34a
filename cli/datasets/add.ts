import { changeOutcomeSchema } from '../../src/core/datasets/contract.ts';
import { MAX_CHANGED, newItemSchema } from '../../src/core/datasets/input/contract.ts';
import { parseInput } from '../../src/http/validate.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { readSource } from '../read-source.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';

export const datasetsAdd = defineCommand({
  name: 'datasets items add',
  summary: 'Add items to a dataset, or change those with a known id: one new version',
  args: { dataset: { summary: 'Name or id of the dataset' } },
  options: {
    ...projectOption,
    file: {
      value: 'FILE',
      summary: `Items as JSON Lines, up to ${MAX_CHANGED}; - is stdin`,
      short: 'f',
      required: true,
    },
    create: { summary: 'Create the dataset if there is none' },
    message: { value: 'TEXT', summary: 'What changed', short: 'm' },
  },
  examples: [
    'spanledger datasets items add sentiment --file new.jsonl -m Today',
    'spanledger datasets items add sentiment --file - < new.jsonl',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { create, message = '' } = options;
    const items = (await readSource(ctx, options.file))
      .split('\n')
      .flatMap((line, place) => (line.trim() === '' ? [] : [parseLine(line, place + 1)]));
    if (items.length === 0)
      throw usageError(`${options.file} has no items`, 'Write one JSON object per line');
    if (items.length > MAX_CHANGED)
      throw usageError(
        `${options.file} has more than ${MAX_CHANGED} items`,
        'Use `spanledger datasets import` for large files',
      );
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const input = { project, dataset: args.dataset, create, items, message };
    const doc = await act(ctx, { action: 'datasets.add-items', input, reply: changeOutcomeSchema });
    output.result(doc, () =>
      output.success(
        `Version ${doc.version}: ${doc.added} added, ${doc.changed} changed, ${doc.unchanged} as before`,
      ),
    );
  },
});

function parseLine(line: string, number: number): unknown {
  try {
    return parseInput(newItemSchema, JSON.parse(line));
  } catch (error) {
    throw usageError(
      `line ${number}: ${error instanceof Error ? error.message : String(error)}`,
      'Write one item per line, such as {"input":"I love it","expectedOutput":"positive"}',
    );
  }
}
