import type { Ctx } from '../src/context.ts';
import type { ProjectRow } from '../src/core/projects/contract.ts';
import type { BaseContext } from './command.ts';
import { withApp } from './session.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

/** The option that names a project. */
export const projectOption = {
  project: { value: 'PROJECT', summary: 'Id or name; optional if there is only one', short: 'p' },
} as const;

/**
 * The given project, or the only one.
 * @throws {UserError} usage (2) if there are several, `no_project` (3) if there is none
 */
export const chooseProject = async (ctx: Ctx, given: string | undefined): Promise<ProjectRow> => {
  const { findProject, listProjects } = await import('../src/core/projects/index.ts');
  if (given !== undefined) return findProject(ctx, given);
  const [only, ...others] = await listProjects(ctx);
  if (only && others.length === 0) return only;
  if (only) throw usageError(`There are ${others.length + 1} projects`, 'Choose one with --project');
  throw new UserError({
    what: 'There is no project yet',
    fix: 'Create one with `spanledger init` or `spanledger projects create`',
    code: 'no_project',
    exit: EXIT.notFound,
  });
};

/** The id of a project that is named by id or name; undefined if none is. Throws AppError 404 or 409. */
export const projectIdOf = async (
  ctx: BaseContext,
  given: string | undefined,
): Promise<string | undefined> => {
  if (given === undefined) return undefined;
  const { findProject } = await import('../src/core/projects/index.ts');
  return withApp(ctx, async (app) => (await findProject(app.ctx, given)).id);
};
