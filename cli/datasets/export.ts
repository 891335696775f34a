import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORT_FORMATS } from '../../src/core/datasets/contract.ts';
import { operatorScope } from '../../src/core/tenancy/index.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { usageError } from '../user-error.ts';

export const datasetsExport = defineCommand({
  name: 'datasets export',
  summary: 'Write the items of a version to a file',
  args: {
    dataset: { summary: 'Name or id of the dataset' },
    file: { summary: 'The file to write; it must not exist' },
  },
  options: {
    ...projectOption,
    format: { value: 'FORMAT', choices: EXPORT_FORMATS, summary: 'Format. Default: by the name, else jsonl' },
    datasetVersion: { value: 'N', summary: 'Number of a version. Default: the newest' },
    split: { value: 'SPLIT', summary: 'Only items of this split' },
  },
  examples: [
    'spanledger datasets export sentiment sentiment.jsonl',
    'spanledger datasets export sentiment old.csv --dataset-version 3 --split test',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const version = options.datasetVersion === undefined ? undefined : Number(options.datasetVersion);
    if (version !== undefined && !(Number.isInteger(version) && version > 0))
      throw usageError(
        `--dataset-version ${options.datasetVersion} is not a number`,
        'Pass a number such as 3',
      );
    const format = options.format ?? (args.file.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl');
    const { exportItems, findDatasetNamed } = await import('../../src/core/datasets/index.ts');
    await withApp(ctx, async ({ ctx: app }) => {
      const scope = operatorScope(await chooseProject(app, options.project));
      const { id: datasetId } = await findDatasetNamed(app, scope, args.dataset);
      const reply = await exportItems(app, scope, { datasetId, version, split: options.split, format });
      if (reply.body === null) throw new Error('an export has a body');
      const file = createWriteStream(args.file, { flags: 'wx', mode: 0o600 });
      try {
        await pipeline(Readable.fromWeb(reply.body as never), file);
      } catch (error) {
        if ((error as { code?: string }).code === 'EEXIST')
          throw usageError(`${args.file} exists`, 'Name another file, or delete it first');
        throw error;
      }
    });
    output.result({ file: args.file, format }, () => output.success(`Written to ${args.file}`));
  },
});
