import { z } from 'zod';
import { ROLES } from '../../src/core/tenancy/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { passwordOptions, readPassword } from '../secret.ts';
import { act } from '../session.ts';

const reply = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  organizationId: z.string(),
  role: z.enum(ROLES),
});

export const usersCreate = defineCommand({
  name: 'users create',
  summary: 'Add a person to an organization',
  args: { email: { summary: 'E-mail address of the person' } },
  options: {
    org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' },
    role: { value: 'ROLE', summary: 'Role of the person', choices: ROLES, default: 'member' },
    name: { value: 'NAME', summary: 'Name of the person' },
    ...passwordOptions,
  },
  examples: [
    'spanledger users create grace@example.com --role admin',
    'spanledger users create grace@example.com --password-stdin <./password',
  ],
  run: async (ctx) => {
    const { org, role, name } = ctx.options;
    const organization = await chooseOrganization(ctx, org);
    const password = await readPassword(ctx, ctx.options);
    const input = { email: ctx.args.email, name, password, organization, role };
    const person = await act(ctx, { action: 'users.create', input, reply });
    ctx.output.result(person, () => {
      ctx.output.line(person.id);
      ctx.output.success(`${person.name} <${person.email}> is ${person.role}`);
    });
  },
});
