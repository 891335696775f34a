import type { Ctx } from '../../src/context.ts';
import type { Chain } from '../../src/features/audit/index.ts';
import { someNames } from '../list/names.ts';
import { usageError } from '../user-error.ts';

/** The chain of the given organization (id or name), or of the only one. `installation` is the operator's chain. */
export const chooseChain = async (ctx: Ctx, given: string | undefined): Promise<Chain> => {
  const [{ listChains }, { INSTALLATION }, { pickOne }] = await Promise.all([
    import('../../src/features/audit/index.ts'),
    import('../../src/core/audit/index.ts'),
    import('../../src/core/orgs/index.ts'),
  ]);
  const chains = await listChains(ctx);
  if (given !== undefined)
    return pickOne('organization', given, [...chains, { id: INSTALLATION, name: INSTALLATION }]);
  const [only, ...others] = chains.filter(({ id }) => id !== INSTALLATION);
  if (only && others.length === 0) return only;
  throw only
    ? usageError(
        `There are ${others.length + 1} organizations`,
        `Choose one with --org: ${someNames([only, ...others])}`,
      )
    : usageError('The audit log is empty', 'Run `spanledger init` first');
};

/** Options of the commands that select entries. */
export const entryOptions = {
  org: { value: 'ORG', summary: 'Id or name; `installation` for operator actions' },
  action: { value: 'ACTION', summary: 'Only this action; a final dot makes it a prefix: project.' },
  actor: { value: 'WHO', summary: 'Only by this user (id or e-mail) or operator:NAME' },
  project: { value: 'PROJECT', summary: 'Only about this project (its id)', short: 'p' },
  start: { value: 'TIME', summary: 'From: 7d, 24h, 2026-01-31 or an ISO 8601 time' },
  end: { value: 'TIME', summary: 'To, in the same formats' },
} as const;
