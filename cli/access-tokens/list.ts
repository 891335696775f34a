import type { TokenRow } from '../../src/core/access-tokens/contract.ts';
import { defineCommand } from '../command.ts';
import type { Cell } from '../format.ts';
import { chooseOrganization } from '../organization.ts';
import type { Column } from '../output.ts';
import { orgOption } from '../prices/fields.ts';
import { withApp } from '../session.ts';

const tones = { active: 'good', expired: 'dim', revoked: 'dim', orphaned: 'warn' } as const;

const date = (iso: string | null): Cell => ({ text: iso?.slice(0, 10) ?? 'never', tone: 'dim' });

const columns: readonly Column<TokenRow>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  {
    header: 'scopes',
    value: ({ scopes, projectName }) =>
      `${scopes.join(', ')}${projectName === null ? '' : ` in ${projectName}`}`,
  },
  { header: 'created by', value: ({ createdBy }) => createdBy },
  { header: 'state', value: ({ state }) => ({ text: state, tone: tones[state] }), fixed: true },
  { header: 'last used', value: ({ lastUsedAt }) => date(lastUsedAt) },
  { header: 'expires', value: ({ expiresAt }) => date(expiresAt) },
];

/** More than an organization has, even with those that ended in the last 30 days. */
const MAX_LISTED = 10_000;

export const accessTokensList = defineCommand({
  name: 'access-tokens list',
  summary: 'List access tokens, newest first; the tokens themselves are not stored',
  options: orgOption,
  examples: ['spanledger access-tokens list', 'spanledger access-tokens list --org Acme --json'],
  run: async (ctx) => {
    const { listTokens } = await import('../../src/core/access-tokens/index.ts');
    const { findOrganization } = await import('../../src/core/orgs/index.ts');
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const { accessTokens } = await withApp(ctx, async (app) => {
      const { id } = await findOrganization(app.ctx, organization);
      return listTokens(app.ctx, id, { limit: MAX_LISTED });
    });
    ctx.output.result({ accessTokens }, () => {
      ctx.output.table(columns, accessTokens);
      if (accessTokens.length === 0)
        ctx.output.info('No access tokens yet; create one with `spanledger access-tokens create`');
    });
  },
});
