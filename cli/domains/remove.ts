import { domainRow } from '../../src/core/auth/domains/contract.ts';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const domainsRemove = defineCommand({
  name: 'domains remove',
  summary: 'Stop people of a domain from joining, and let them sign in by any way',
  args: { domain: { summary: 'Domain of the addresses' } },
  examples: ['spanledger domains remove example.com'],
  run: async (ctx) => {
    const input = { domain: ctx.args.domain };
    const doc = await act(ctx, { action: 'domains.remove', input, reply: domainRow });
    ctx.output.result(doc, () =>
      ctx.output.success(`${doc.domain} is removed from ${doc.organizationName}; its members stay`),
    );
  },
});
