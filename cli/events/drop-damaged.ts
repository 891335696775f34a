import { droppedSchema } from '../../src/features/damage/contract.ts';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { number } from '../format.ts';
import { act, withApp } from '../session.ts';

export const eventsDropDamaged = defineCommand({
  name: 'events drop-damaged',
  summary: 'Give up the damaged events of a project, so that lists and erasures go on without them',
  args: { project: { summary: 'Id or name of the project' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: [
    'spanledger events drop-damaged assistant',
    'spanledger events drop-damaged assistant --yes --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { findProject } = await import('../../src/core/projects/index.ts');
    const { id, name } = await withApp(ctx, (app) => findProject(app.ctx, args.project));
    const warning = `All damaged events of ${name} (${id}) will be deleted. \`events check\` lists them. Totals keep those of segments.`;
    await confirm(ctx, { warning, word: name, yes: options.yes });
    const input = { project: id };
    const reply = await act(ctx, { action: 'events.drop_damaged', input, reply: droppedSchema });
    const events = reply.dropped.reduce((sum, one) => sum + one.events, 0);
    output.result(reply, () => output.success(`${number(events).text} damaged events were given up`));
  },
});
