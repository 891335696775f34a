import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { auditRows, runSql } from './rows.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

const COLUMNS = 'organization_id, seq, id, at, actor_kind, actor_id, action, previous_hash, hash';
const FORGERIES: readonly string[] = [
  "UPDATE audit_log SET action = 'x.forged'",
  'UPDATE audit_log SET seq = seq + 100',
  "UPDATE OR REPLACE audit_log SET action = 'x.forged' WHERE seq = 1",
  'DELETE FROM audit_log',
  'DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)',
  ...['INSERT OR REPLACE', 'REPLACE', 'INSERT OR IGNORE', 'INSERT OR FAIL', 'INSERT'].flatMap((insert) => [
    `${insert} INTO audit_log (${COLUMNS})
       SELECT organization_id, seq, 'aud_x', at, actor_kind, actor_id, 'x.forged', previous_hash, hash
       FROM audit_log WHERE seq = 1`,
    `${insert} INTO audit_log (${COLUMNS})
       SELECT organization_id, 1 + (SELECT max(seq) FROM audit_log), id, at, actor_kind, actor_id, 'x.forged',
         (SELECT hash FROM audit_heads), 'h' FROM audit_log WHERE seq = 1`,
    `${insert} INTO audit_log (${COLUMNS})
       SELECT organization_id, 99, 'aud_x', at, actor_kind, actor_id, 'x.forged', hash, 'h'
       FROM audit_log WHERE seq = 1`,
  ]),
  `INSERT INTO audit_log (${COLUMNS})
     SELECT organization_id, seq, 'aud_x', at, actor_kind, actor_id, 'x.forged', previous_hash, hash
     FROM audit_log WHERE seq = 1 ON CONFLICT DO UPDATE SET action = 'x.forged'`,
  'DELETE FROM audit_heads',
  'UPDATE audit_heads SET seq = seq - 1',
  "UPDATE audit_heads SET seq = seq + 1, hash = 'h'",
  "UPDATE audit_heads SET organization_id = 'org_x'",
  "REPLACE INTO audit_heads SELECT organization_id, 1, 'h' FROM audit_heads",
  "INSERT INTO audit_heads VALUES ('org_x', 1, 'h')",
];

test.each(FORGERIES)('refused: %s', async (forgery) => {
  const before = await auditRows(world.ctx);
  expect(before.length).toBeGreaterThan(2);
  await expect(runSql(world.ctx, forgery)).rejects.toThrow('the audit log is append-only');
  expect(await auditRows(world.ctx)).toEqual(before);
});
