import { tokenRow } from '../../src/core/access-tokens/contract.ts';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act } from '../session.ts';

export const accessTokensRevoke = defineCommand({
  name: 'access-tokens revoke',
  summary: 'Revoke an access token at once',
  args: { id: { summary: 'Id of the token, or its start', id: 'token' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: ['spanledger access-tokens revoke tok_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 --yes'],
  run: async (ctx) => {
    const { output, args, options } = ctx;
    const warning = `Programs that still use ${args.id} will receive 401.`;
    await confirm(ctx, { warning, word: args.id, yes: options.yes });
    const token = await act(ctx, { action: 'access-tokens.revoke', input: args, reply: tokenRow });
    output.result(token, () => output.success(`Access token ${token.id} revoked`));
  },
});
