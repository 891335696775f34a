import { z } from 'zod';
import { ROLES } from '../../src/core/tenancy/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { act } from '../session.ts';

const reply = z.object({
  organizationId: z.string(),
  userId: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
});

export const usersSetRole = defineCommand({
  name: 'users set-role',
  summary: 'Change the role of a person in an organization',
  args: {
    email: { summary: 'E-mail address of the person' },
    role: { summary: `One of ${ROLES.join(', ')}`, type: z.enum(ROLES) },
  },
  options: { org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' } },
  examples: ['spanledger users set-role grace@example.com owner'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const input = { ...ctx.args, organization };
    const member = await act(ctx, { action: 'users.set_role', input, reply });
    ctx.output.result(member, () => ctx.output.success(`${member.email} is now ${member.role}`));
  },
});
