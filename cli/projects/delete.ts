import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act, withApp } from '../session.ts';

const reply = z.object({ id: z.string(), name: z.string(), deletedAt: z.iso.datetime() });

export const projectsDelete = defineCommand({
  name: 'projects delete',
  summary: 'Delete a project: its keys at once, its events within 24 hours',
  args: { project: { summary: 'Id or name' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger projects delete assistant', 'spanledger projects delete prj_0198c2f5a1b4 --yes'],
  run: async (ctx) => {
    const { findProject } = await import('../../src/core/projects/index.ts');
    const { id, name, organizationName } = await withApp(ctx, (app) =>
      findProject(app.ctx, ctx.args.project),
    );
    const warning = `Project ${name} of ${organizationName} (${id}) and all its events will be deleted.`;
    await confirm(ctx, { warning, word: name, yes: ctx.options.yes });
    const gone = await act(ctx, { action: 'projects.delete', input: { project: id }, reply });
    ctx.output.result(gone, () =>
      ctx.output.success(`Project ${name} deleted; its events are deleted within 24 hours`),
    );
  },
});
