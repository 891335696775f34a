import { z } from 'zod';
import { defineAction } from '../../../module.ts';
import { displayName, emailAddress, idOrName } from '../../orgs/contract.ts';
import { findOrganization } from '../../orgs/index.ts';
import { ROLES } from '../../tenancy/contract.ts';
import { newPassword } from '../contract.ts';
import { addPerson, personStatements } from '../person.ts';

/** `users.create`: a person with a password, as a member of an organization. */
export const createUser = defineAction({
  name: 'users.create',
  input: z.object({
    email: emailAddress,
    name: displayName.optional(),
    password: newPassword,
    organization: idOrName,
    role: z.enum(ROLES),
  }),
  run: async (ctx, { organization, email, password, role, ...given }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    const person = await personStatements(ctx, {
      email,
      password,
      verified: true,
      role,
      organizationId,
      name: given.name,
    });
    await addPerson(ctx, email, { actor, statements: person.statements, audit: [person.note] });
    return { id: person.userId, email, name: person.name, organizationId, role };
  },
});
