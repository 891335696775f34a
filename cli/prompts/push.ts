import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importReplySchema, promptFileSchema } from '../../src/core/prompts/files/contract.ts';
import { problemOf } from '../../src/http/problem-of.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { FILE_END, parseFile } from './prompt-file.ts';

export const promptsPush = defineCommand({
  name: 'prompts push',
  summary: 'Bring prompts to what the files of a folder say; equal ones get no new version',
  args: { folder: { summary: 'Folder that `prompts pull` wrote' } },
  options: {
    ...projectOption,
    dryRun: { summary: 'Show what would change, and change nothing' },
    label: { value: 'LABEL', summary: 'Label that new versions get, such as production', short: 'l' },
    message: { value: 'TEXT', summary: 'What changed', short: 'm' },
  },
  examples: [
    'spanledger prompts push prompts --dry-run',
    'spanledger prompts push prompts --label production',
  ],
  run: async (ctx) => {
    const { dryRun, label, message = '' } = ctx.options;
    const prompts = await readFolder(ctx.args.folder);
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, ctx.options.project));
    const labels = label === undefined ? [] : [label];
    const input = { project, prompts, dryRun, labels, message };
    const doc = await act(ctx, { action: 'prompts.import', input, reply: importReplySchema });
    ctx.output.result(doc, () => {
      const changed = doc.prompts.filter(({ change }) => change !== 'unchanged');
      for (const { name, change, version } of changed)
        ctx.output.raw(`${name}: ${change}${version === null ? '' : ` (version ${version})`}\n`);
      const verb = dryRun ? 'would change' : 'changed';
      ctx.output.success(`${changed.length} of ${doc.prompts.length} prompts ${verb}`);
    });
  },
});

async function readFolder(folder: string): Promise<unknown[]> {
  if (!existsSync(folder))
    throw usageError(`There is no folder ${folder}`, 'Write one with `spanledger prompts pull`');
  const paths = [...new Bun.Glob(`**/*${FILE_END}`).scanSync(folder)].sort();
  if (paths.length === 0)
    throw usageError(
      `${folder} has no files that end with ${FILE_END}`,
      'Write some with `spanledger prompts pull`',
    );
  return Promise.all(
    paths.map(async (path) => {
      const read = promptFileSchema.safeParse(await readJson(folder, path));
      if (read.success) return read.data;
      const [issue] = read.error.issues;
      throw usageError(
        `${path}: ${[...(issue?.path ?? []), issue && problemOf(issue)].join(' ')}`,
        'Correct the file',
      );
    }),
  );
}

async function readJson(folder: string, path: string): Promise<unknown> {
  try {
    return parseFile(await Bun.file(join(folder, path)).text());
  } catch (error) {
    throw usageError(`${path} is not JSON: ${(error as Error).message}`, 'Correct the file');
  }
}
