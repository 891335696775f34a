import type { Ctx } from '../src/context.ts';
import type { ProjectRow } from '../src/core/projects/contract.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

/** The option that names a project. */
export const projectOption = {
  project: { value: 'PROJECT', summary: 'Id or name; not needed where there is only one', short: 'p' },
} as const;

/**
 * The project that was named, or the only one.
 * @throws {UserError} usage (2) where there are several, `no_project` (3) where there is none
 */
export const chooseProject = async (ctx: Ctx, given: string | undefined): Promise<ProjectRow> => {
  const { findProject, listProjects } = await import('../src/core/projects/index.ts');
  if (given !== undefined) return findProject(ctx, given);
  const [only, ...others] = await listProjects(ctx);
  if (only && others.length === 0) return only;
  if (only) throw usageError(`There are ${others.length + 1} projects`, 'Say which one with --project');
  throw new UserError({
    what: 'There is no project yet',
    fix: 'Make one with `spanledger init`, or `spanledger projects create`',
    code: 'no_project',
    exit: EXIT.notFound,
  });
};
