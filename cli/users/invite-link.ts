import { z } from 'zod';
import { INVITED_ROLES } from '../../src/core/orgs/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { act } from '../session.ts';

const reply = z.object({
  id: z.string(),
  email: z.string().nullable(),
  role: z.enum(INVITED_ROLES),
  expiresAt: z.iso.datetime(),
  url: z.string(),
});

export const usersInviteLink = defineCommand({
  name: 'users invite-link',
  summary: 'Create a link for a person to join an organization',
  args: { email: { summary: 'Restrict the link to this e-mail address', optional: true } },
  options: {
    org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' },
    role: { value: 'ROLE', summary: 'Role of the person', choices: INVITED_ROLES, default: 'member' },
  },
  examples: ['spanledger users invite-link', 'spanledger users invite-link grace@example.com --role admin'],
  run: async (ctx) => {
    const { org, role } = ctx.options;
    const organization = await chooseOrganization(ctx, org);
    const input = { organization, email: ctx.args.email, role };
    const link = await act(ctx, { action: 'users.invite_link', input, reply });
    ctx.output.result(link, () => {
      ctx.output.raw(`${link.url}\n`);
      ctx.output.info(
        `For ${link.email ?? 'anybody with the link'}, as ${link.role}; works once, within 7 days`,
      );
    });
  },
});
