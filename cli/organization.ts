import type { Ctx } from '../src/context.ts';
import type { BaseContext } from './command.ts';
import { someNames } from './list/names.ts';
import { chooseAmong, listRemoteOrganizations } from './remote/find.ts';
import type { RemoteServer } from './remote/server.ts';
import { withApp } from './session.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

/**
 * The given organization, or the only one.
 * @throws {UserError} usage (2) if there are several, `no_organization` (3) if there is none
 */
export const chooseOrganization = async (ctx: BaseContext, given: string | undefined): Promise<string> => {
  if (given !== undefined) return given;
  return withApp(ctx, (app) => onlyOrganization(app.ctx));
};

const onlyOrganization = async (app: Ctx): Promise<string> => {
  const { listOrganizations } = await import('../src/core/orgs/index.ts');
  const found = await listOrganizations(app);
  const [only, ...others] = found;
  if (only && others.length === 0) return only.id;
  if (only)
    throw usageError(`There are ${found.length} organizations`, `Choose one with --org: ${someNames(found)}`);
  throw new UserError({
    what: 'There is no organization yet',
    fix: 'Run `spanledger init`',
    code: 'no_organization',
    exit: EXIT.notFound,
  });
};

/** An organization as both a file and a server know it. */
type KnownOrganization = { readonly id: string; readonly name: string };

/** How something of an organization is read: from the file, and through a server's API. */
interface OrganizationReads<T> {
  readonly file: (app: Ctx, organization: KnownOrganization) => Promise<T>;
  readonly server: (server: RemoteServer, organization: KnownOrganization) => Promise<T>;
}

/** Reads something of the given organization, or of the only one. Throws what `chooseOrganization` throws. */
export const readOfOrganization = async <T>(
  ctx: BaseContext,
  given: string | undefined,
  { file, server }: OrganizationReads<T>,
): Promise<T> => {
  const { findOrganization } = await import('../src/core/orgs/index.ts');
  return withApp(
    ctx,
    async ({ ctx: app }) => file(app, await findOrganization(app, given ?? (await onlyOrganization(app)))),
    async (from) =>
      server(from, await chooseAmong('organization', given, await listRemoteOrganizations(from))),
  );
};
