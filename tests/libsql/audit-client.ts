/**
 * Makes audited changes on a libSQL server, without a lease: `bun audit-client.ts URL TOKEN ORGANIZATION COUNT`. Each
 * renames the organization, so that its state before and after is what another client left and what this one did. After
 * the first it prints a line and waits for one.
 */
import { commitOp } from '../../src/core/audit/commit-op.ts';
import { createInlineWriter } from '../../src/db/writer.ts';
import { writes } from '../../src/writes.ts';

const [url = '', token = '', organizationId = '', count = '0'] = process.argv.slice(2);
const writer = createInlineWriter({ url, token, holder: null }, writes);
const state = {
  sql: "SELECT json_object('name', name) FROM organizations WHERE id = ?",
  args: [organizationId],
};

for (let i = 0; i < Number(count); i++) {
  // The first change opens the connection, which takes seconds on a busy machine; the others begin when both are there.
  if (i === 1) {
    console.log('ready');
    await process.stdin[Symbol.asyncIterator]().next();
  }
  await writer.write(commitOp, {
    statements: [
      {
        sql: 'UPDATE organizations SET name = ? WHERE id = ?',
        args: [`${process.pid} ${i}`, organizationId],
      },
    ],
    drafts: [
      {
        id: `aud_${crypto.randomUUID()}`,
        organizationId,
        projectId: null,
        at: Date.now(),
        actor: { kind: 'system', id: `system:client ${process.pid}`, email: null },
        action: 'organization.renamed',
        subject: { type: 'organization', id: organizationId, state },
        before: null,
        after: null,
        address: null,
        userAgent: null,
      },
    ],
  });
}
await writer.close();
