import { z } from 'zod';
import { auditWith, draftEntry } from '../../core/audit/index.ts';
import { eventsOf } from '../../core/events/index.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject, listProjects } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { defineAction } from '../../module.ts';
import type { Checked, DamageRow } from './contract.ts';
import { listDamage } from './list-damage.ts';

/** `events.check`: reads everything that is stored, of all projects or of one, and compares the checksums. */
export const checkEvents = defineAction({
  name: 'events.check',
  input: z.object({ project: idOrName.optional() }),
  run: async (ctx, { project }): Promise<Checked> => {
    const rows = project === undefined ? await listProjects(ctx) : [await findProject(ctx, project)];
    const projects: Checked['projects'] = [];
    for (const row of rows) {
      const scope = operatorScope(row);
      const checked = await eventsOf(ctx).checkStored(scope, new AbortController().signal);
      projects.push({ projectId: row.id, name: row.name, ...checked, damage: await listDamage(ctx, scope) });
    }
    return { projects };
  },
});

/** `events.drop_damaged`: gives up the damaged events of a project. Each has its audit entry. */
export const dropDamaged = defineAction({
  name: 'events.drop_damaged',
  input: z.object({ project: idOrName }),
  run: async (ctx, { project }, actor): Promise<{ dropped: DamageRow[] }> => {
    const scope = operatorScope(await findProject(ctx, project));
    const { organizationId, projectId } = scope;
    const dropped: DamageRow[] = [];
    for (const damage of await listDamage(ctx, scope)) {
      if (damage.state === 'lost') continue;
      const after = { ...damage, state: 'lost' as const };
      const note = { action: 'events.given_up', organizationId, projectId, after };
      const audited = auditWith(draftEntry(ctx, actor, note));
      if (await eventsOf(ctx).giveUp(scope, damage, [audited])) dropped.push(after);
    }
    return { dropped };
  },
});
