import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { formatFile, pathOf } from './prompt-file.ts';

export const promptsPull = defineCommand({
  name: 'prompts pull',
  summary: 'Write the newest version of each prompt as a file into a folder',
  args: { folder: { summary: 'Folder, which is made if it is missing' } },
  options: projectOption,
  examples: ['spanledger prompts pull prompts', 'spanledger prompts pull prompts -p assistant --json'],
  run: async (ctx) => {
    const { folder } = ctx.args;
    const { exportPrompts } = await import('../../src/core/prompts/index.ts');
    const found = await withApp(ctx, async ({ ctx: app }) =>
      exportPrompts(app, (await chooseProject(app, ctx.options.project)).id),
    );
    const files: string[] = [];
    for (const { file } of found) {
      const path = join(folder, pathOf(file.name));
      await mkdir(dirname(path), { recursive: true });
      await Bun.write(path, formatFile(file));
      files.push(path);
    }
    ctx.output.result({ files }, () =>
      ctx.output.success(`${countText(files.length, 'prompt')} written to ${folder}`),
    );
  },
});
