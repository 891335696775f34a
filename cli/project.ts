import type { Ctx } from '../src/context.ts';
import type { ProjectRow } from '../src/core/projects/contract.ts';
import type { ofProject } from '../src/core/tenancy/index.ts';
import type { BaseContext } from './command.ts';
import { someNames } from './list/names.ts';
import { chooseAmong, listRemoteProjects } from './remote/find.ts';
import type { RemoteServer } from './remote/server.ts';
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
  if (only)
    throw usageError(
      `There are ${others.length + 1} projects`,
      `Choose one with --project: ${someNames([only, ...others])}`,
    );
  const { listOrganizations } = await import('../src/core/orgs/index.ts');
  const hasOrganization = (await listOrganizations(ctx)).length > 0;
  throw new UserError({
    what: 'There is no project yet',
    fix: `Create one with \`spanledger ${hasOrganization ? 'projects create' : 'init'}\``,
    code: 'no_project',
    exit: EXIT.notFound,
  });
};

/** A project as both a file and a server know it. */
export type KnownProject = Pick<ProjectRow, 'id' | 'name' | 'organizationId' | 'organizationName'>;

/** How something of a project is read: from the file, and through a server's API. */
export interface ProjectReads<T> {
  readonly file: (app: Ctx, scope: ReturnType<typeof ofProject>, project: ProjectRow) => Promise<T>;
  readonly server: (server: RemoteServer, project: KnownProject) => Promise<T>;
}

/** Reads something of the given project, or of the only one. Throws what `chooseProject` throws. */
export const readOfProject = async <T>(
  ctx: BaseContext,
  given: string | undefined,
  { file, server }: ProjectReads<T>,
): Promise<T> => {
  const { ofProject, operatorScope } = await import('../src/core/tenancy/index.ts');
  return withApp(
    ctx,
    async ({ ctx: app }) => {
      const project = await chooseProject(app, given);
      return file(app, ofProject(operatorScope(project)), project);
    },
    async (from) => server(from, await chooseAmong('project', given, await listRemoteProjects(from))),
  );
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
