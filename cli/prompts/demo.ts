import type { App } from '../../src/app.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import type { NewVersion } from '../../src/core/prompts/contract.ts';
import { operatorScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { Actor } from '../../src/module.ts';
import { DEMO_PROMPTS } from './demo-texts.ts';

/** A demo user, as the author of the prompts. */
type Author = { readonly userId: string; readonly email: string };

/**
 * Writes the prompts of the demo's traffic with the versions that its events name, published on the days on which the
 * traffic changed.
 */
export const createDemoPrompts = async (app: App, project: ProjectRow, author: Author): Promise<void> => {
  const { createPrompt, createVersion, setLabel } = await import('../../src/core/prompts/index.ts');
  const { dayMoment } = await import('../../src/features/demo/index.ts');
  const actor: Actor = { kind: 'user', ...author };
  const by = {
    scope: operatorScope(project),
    actor,
    by: author.userId,
    byName: author.email,
    isAdmin: true,
  };
  const now = app.ctx.now();
  const at = (time: number): App['ctx'] => ({ ...app.ctx, now: () => time });
  for (const { name, description, tags, versions, split } of DEMO_PROMPTS) {
    for (const [place, { daysAgo, hour = 9, labels = ['production'], ...version }] of versions.entries()) {
      const given: NewVersion = { config: {}, ...version, labels: [...labels] };
      const then = at(dayMoment(now, { daysAgo, hour }));
      if (place === 0) await createPrompt(then, by, { name, description, tags: [...tags], ...given });
      else await createVersion(then, by, { name, version: given });
    }
    if (split !== undefined) await setLabel(at(now - DAY_MS), by, { name, ...split });
  }
};
