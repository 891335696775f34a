import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act } from '../session.ts';
import { printRepricing, repricingReply } from './print.ts';

export const repriceUndo = defineCommand({
  name: 'reprice undo',
  summary: 'Restore the costs from before a re-pricing',
  args: { id: { summary: 'Id of the re-pricing, or its start', id: 'repricing' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger reprice undo rep_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 --yes'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    await confirm(ctx, {
      warning: 'The events return to their previous costs.',
      word: args.id,
      yes: options.yes,
    });
    const doc = await act(ctx, { action: 'repricings.undo', input: args, reply: repricingReply });
    output.result(doc, () => {
      printRepricing(output, { ...doc, groups: [] });
      if (doc.error === null) output.success('Re-pricing undone');
    });
  },
});
