import type { ReadableProject } from '../../src/core/projects/contract.ts';
import { someNames } from '../list/names.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import type { RemoteServer } from './server.ts';

/** Projects that the access token reaches, oldest first. */
export const listRemoteProjects = async (server: RemoteServer): Promise<readonly ReadableProject[]> => {
  const { readableProjectsEndpoint } = await import('../../src/core/projects/contract.ts');
  return (await server.get(readableProjectsEndpoint)).projects;
};

/** The organizations of those projects. */
export const listRemoteOrganizations = async (
  server: RemoteServer,
): Promise<readonly { readonly id: string; readonly name: string }[]> => {
  const projects = await listRemoteProjects(server);
  return [...new Map(projects.map((one) => [one.organizationId, one.organizationName]))].map(
    ([id, name]) => ({ id, name }),
  );
};

/**
 * The one with this id or name, or the only one.
 * @throws {AppError} 404 or 409
 * @throws {UserError} usage (2) if there are several, `nothing_reached` (3) if there is none
 */
export const chooseAmong = async <T extends { readonly id: string; readonly name: string }>(
  kind: 'project' | 'organization',
  given: string | undefined,
  found: readonly T[],
): Promise<T> => {
  const { pickOne } = await import('../../src/core/orgs/index.ts');
  if (given !== undefined) return pickOne(kind, given, found);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw usageError(
      `There are ${found.length} ${kind}s`,
      `Choose one with --${kind === 'project' ? kind : 'org'}: ${someNames(found)}`,
    );
  throw new UserError({
    what: `The access token reaches no ${kind}`,
    fix: 'Create a token for an organization with a project',
    code: 'nothing_reached',
    exit: EXIT.notFound,
  });
};
