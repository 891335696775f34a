import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { projects } from './table.ts';

/** The statement that adds a project, for a change that adds more than it. */
export const insertProject = (ctx: Ctx, row: typeof projects.$inferInsert): BatchItem<'sqlite'> =>
  ctx.db.sql.insert(projects).values(row);
