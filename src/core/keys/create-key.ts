import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { displayName, idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { newKey } from './api-key.ts';
import { keysChanged } from './keys-changed.ts';
import { keySubject } from './subject.ts';
import { apiKeys } from './table.ts';

/** `keys.create`: a new key for a project. Only this reply contains the secret. */
export const createKey = defineAction({
  name: 'keys.create',
  input: z.object({ project: idOrName, name: displayName }),
  run: async (ctx, { project, name }, actor) => {
    const { id: projectId, organizationId } = await findProject(ctx, project);
    const createdBy = actor.kind === 'user' ? actor.userId : null;
    const { apiKey, row } = await newKey(ctx, { projectId, name, createdBy });
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
    return { id: row.id, apiKey, projectId, name };
  },
});
