import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { act, withApp } from '../session.ts';

const reply = z.object({ id: z.string(), name: z.string(), organizationId: z.string() });

export const projectsCreate = defineCommand({
  name: 'projects create',
  summary: 'Create a project in an organization',
  args: { name: { summary: 'Name of the project' } },
  options: { org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' } },
  examples: ['spanledger projects create assistant', 'spanledger projects create search --org acme --json'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const input = { organization, name: ctx.args.name };
    const made = await act(ctx, { action: 'projects.create', input, reply });
    const { listProjects } = await import('../../src/core/projects/index.ts');
    const known = await withApp(ctx, ({ ctx: app }) => listProjects(app));
    const hasTwin = known.some(
      ({ id, name, organizationId }) =>
        id !== made.id && name === made.name && organizationId === made.organizationId,
    );
    ctx.output.result(made, () => {
      ctx.output.line(made.id);
      ctx.output.success(`Project ${made.name}`);
      if (hasTwin) ctx.output.warn(`The organization has another project ${made.name}: name both by id`);
      ctx.output.info(`Next: spanledger keys create --project ${made.id} --name NAME`);
    });
  },
});
