import type { BaseContext } from './command.ts';
import { withApp } from './session.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

/**
 * The given organization, or the only one.
 * @throws {UserError} usage (2) if there are several, `no_organization` (3) if there is none
 */
export const chooseOrganization = async (ctx: BaseContext, given: string | undefined): Promise<string> => {
  if (given !== undefined) return given;
  const { listOrganizations } = await import('../src/core/orgs/index.ts');
  const [only, ...others] = await withApp(ctx, (app) => listOrganizations(app.ctx));
  if (only && others.length === 0) return only.id;
  if (only) throw usageError(`There are ${others.length + 1} organizations`, 'Choose one with --org');
  throw new UserError({
    what: 'There is no organization yet',
    fix: 'Run `spanledger init`',
    code: 'no_organization',
    exit: EXIT.notFound,
  });
};
