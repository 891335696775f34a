import { defineCommand } from '../command.ts';
import { printable } from '../format.ts';
import { SCRIPTS, type Shell } from './scripts.ts';

/** A command for each shell, so that help and completion list them. */
const defineScript = (shell: Shell, load: string) =>
  defineCommand({
    name: `completions ${shell}`,
    summary: `Print the completion script of ${shell}`,
    examples: [load],
    run: ({ output }) => output.result({ shell, script: SCRIPTS[shell] }, () => output.raw(SCRIPTS[shell])),
  });

export const completionsBash = defineScript('bash', 'source <(spanledger completions bash)');
export const completionsZsh = defineScript('zsh', 'source <(spanledger completions zsh)');
export const completionsFish = defineScript(
  'fish',
  'spanledger completions fish >~/.config/fish/completions/spanledger.fish',
);

export const completionsWords = defineCommand({
  name: 'completions words',
  summary: 'List what may follow the typed words; the completion scripts call it',
  args: {
    typed: {
      summary: 'The words after `spanledger`; the last one is unfinished',
      optional: true,
      variadic: true,
    },
  },
  examples: ['spanledger completions words -- keys re', `spanledger completions words -- report ''`],
  run: async (ctx) => {
    const { complete } = await import('./complete.ts');
    const words = await complete(ctx, ctx.args.typed ?? []);
    ctx.output.result({ words }, () => {
      for (const { word, about } of words)
        ctx.output.raw(`${printable(word)}${about === '' ? '' : `\t${printable(about)}`}\n`);
    });
  },
});
