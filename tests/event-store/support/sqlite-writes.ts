import type { Writes } from '../../../src/db/group-commit.ts';
import { modules } from '../../../src/features.ts';
import { writesOf } from '../../../src/module.ts';
import { conformanceEffects } from './sqlite-effects.ts';

const { ops, effects = [] } = writesOf(modules);

/** What the product's writer can do, and the effects of the suite. */
export const sqliteWrites: Writes = { ops, effects: [...effects, ...conformanceEffects] };
