import { z } from 'zod';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act, withApp } from '../session.ts';

const reply = z.looseObject({
  id: z.string(),
  userDigest: z.string(),
  deleted: z.object({ events: z.number(), refusedLines: z.number() }),
});

export const projectsEraseUser = defineCommand({
  name: 'projects erase-user',
  summary: 'Erase all data of an end user of a project',
  args: {
    project: { summary: 'Id or name of the project' },
    user: { summary: 'user_id of the end user' },
  },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: [
    'spanledger projects erase-user assistant u-17',
    'spanledger projects erase-user assistant u-17 --yes --json',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { findProject } = await import('../../src/core/projects/index.ts');
    const { id, name } = await withApp(ctx, (app) => findProject(app.ctx, args.project));
    const warning = `All events of user ${args.user} in ${name} (${id}) will be erased and subtracted from all totals.`;
    await confirm(ctx, { warning, word: args.user, yes: options.yes });
    const input = { project: id, userId: args.user };
    const erased = await act(ctx, { action: 'projects.erase_user', input, reply });
    output.result(erased, () => {
      const { events, refusedLines } = erased.deleted;
      output.success(`Erased: ${countText(events, 'event')} and ${countText(refusedLines, 'refused line')}`);
      output.info(`Receipt ${erased.id} is in the audit log; user ${erased.userDigest.slice(0, 16)}…`);
    });
  },
});
