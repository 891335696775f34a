import { z } from 'zod';
import type { VerifyReply } from '../../src/features/audit/contract.ts';
import { verifyQuery } from '../../src/features/audit/contract.ts';
import { numberText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { withApp } from '../session.ts';
import { EXIT, usageError } from '../user-error.ts';
import { chooseChain } from './chain.ts';

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Verify that the audit log was not changed',
  options: {
    org: { value: 'ORG', summary: 'Only this organization (id or name)' },
    head: {
      value: 'SEQ:HASH',
      summary: 'A latest entry that you noted earlier; the log must still contain it',
      type: verifyQuery.shape.head.pipe(z.string()),
    },
  },
  examples: [
    'spanledger audit verify',
    'spanledger audit verify --json',
    'spanledger audit verify --org acme --head "$(cat head-of-last-week)"',
  ],
  run: async (ctx) => {
    const { options, output } = ctx;
    if (options.head !== undefined && options.org === undefined)
      throw usageError('--head needs one organization', 'Choose one with --org');
    const { listChains, notedHead, verifyChain } = await import('../../src/features/audit/index.ts');
    const chains = await withApp(ctx, async (app) => {
      const wanted =
        options.org === undefined ? await listChains(app.ctx) : [await chooseChain(app.ctx, options.org)];
      const replies: VerifyReply[] = [];
      for (const { id } of wanted) replies.push(await verifyChain(app.ctx, id, notedHead(options.head)));
      return replies;
    });
    const ok = chains.every((chain) => chain.ok);
    output.result({ ok, chains }, () => {
      for (const chain of chains) {
        const { organizationId, entries, head, problems } = chain;
        const end = head === null ? '' : `, latest ${head.seq}:${head.hash}`;
        output.line(
          { text: chain.ok ? 'intact' : 'BROKEN', tone: chain.ok ? 'good' : 'bad' },
          `${organizationId}: ${entries === 1 ? '1 entry' : `${numberText(entries)} entries`}${end}`,
        );
        for (const { seq, problem } of problems) output.line(`  entry ${seq} ${problem}`);
      }
      if (ok)
        output.info('Store the latest hashes elsewhere: only they reveal a log that was rebuilt completely.');
    });
    return ok ? EXIT.ok : EXIT.failure;
  },
});
