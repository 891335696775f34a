import { z } from 'zod';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { displayName, idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { newKey } from './api-key.ts';
import { keysChanged } from './keys-changed.ts';
import { keySubject } from './subject.ts';
import { apiKeys } from './table.ts';

/** `keys.create`: a new key for a project, which may expire. Only this reply contains the secret. */
export const createKey = defineAction({
  name: 'keys.create',
  input: z.object({
    project: idOrName,
    name: displayName,
    expiresAt: z.iso.datetime({ offset: true }).optional(),
  }),
  run: async (ctx, { project, name, expiresAt }, actor) => {
    const validUntil = expiresAt === undefined ? null : new Date(expiresAt);
    if (validUntil !== null && !(validUntil.getTime() > ctx.now()))
      throw badRequest('expiresAt: must be in the future');
    const { id: projectId, organizationId } = await findProject(ctx, project);
    const createdBy = actor.kind === 'user' ? actor.userId : null;
    const { apiKey, row } = await newKey(ctx, { projectId, name, createdBy, validUntil });
    await commitChange(ctx, actor, {
      statements: [ctx.db.sql.insert(apiKeys).values(row)],
      audit: [
        {
          action: 'project.api_key_created',
          organizationId,
          projectId,
          subject: { of: keySubject, id: row.id },
        },
      ],
    });
    ctx.emit(keysChanged);
    const ends = validUntil === null ? null : formatInstant(validUntil.getTime());
    return { id: row.id, apiKey, projectId, name, expiresAt: ends };
  },
});
