import { afterEach, beforeEach, expect, test } from 'bun:test';
import { runJob } from '../../../src/core/jobs/index.ts';
import { expiryModule } from '../../../src/features/expiry/index.ts';
import type { Job } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from '../../core/jobs/fixture.ts';

const NOW = Date.UTC(2028, 2, 1, 3, 30);
const DAY = 86_400_000;
let fixture: JobFixture;
beforeEach(async () => {
  fixture = openJobFixture(NOW, [expiryModule]);
  await fixture.addOrganization('org', 'free');
  await fixture.addProject('p', 'org');
  await fixture.run(
    "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ('u', 'U', 'u@example.com', 1, 0, 0)",
  );
});
afterEach(() => fixture.close());

const [job] = expiryModule.jobs as [Job];
/** Runs the job. @returns how many rows it deleted, by table */
const expire = async (): Promise<unknown> => {
  const { result } = await runJob(fixture.ctx, job, 'schedule');
  const { deleted } = result as { deleted: Record<string, number> };
  return Object.fromEntries(Object.entries(deleted).filter(([, rows]) => rows > 0));
};
const ids = async (table: string, column = 'id'): Promise<unknown[]> =>
  (await fixture.run(`SELECT ${column} FROM ${table} ORDER BY 1`)).rows.flat();

test('login sessions are deleted from the millisecond in which they expire', async () => {
  for (const [id, end] of Object.entries({ old: NOW - 1, now: NOW, valid: NOW + 1 })) {
    await fixture.run(
      "INSERT INTO sessions (id, expires_at, token, created_at, updated_at, user_id) VALUES (?, ?, ?, 0, 0, 'u')",
      [id, end, id],
    );
  }
  expect(await expire()).toEqual({ sessions: 2 });
  expect(await ids('sessions')).toEqual(['valid']);
});

test('keys stay listed for 30 days after their grace or their revocation', async () => {
  const edge = NOW - 30 * DAY;
  const keys: [string, number | null, number | null][] = [
    ['current', null, null],
    ['in_grace', NOW + 1, null],
    ['rotated_new', edge + 1, null],
    ['rotated_old', edge, null],
    ['revoked_new', null, edge + 1],
    ['revoked_old', null, edge],
    ['rotated_then_revoked', NOW, edge],
  ];
  for (const [id, validUntil, revokedAt] of keys) {
    await fixture.run(
      "INSERT INTO api_keys VALUES (?, 'p', 'n', 'p', 'h', 0, NULL, NULL, ?, ?, NULL, NULL)",
      [id, validUntil, revokedAt],
    );
  }
  expect(await expire()).toEqual({ api_keys: 3 });
  expect(await ids('api_keys')).toEqual(['current', 'in_grace', 'revoked_new', 'rotated_new']);
});

test('a replaced key is kept as long as the key that replaced it, because alerts and budgets may name it', async () => {
  for (const [id, next, validUntil, revokedAt] of [
    ['first', 'second', NOW - 90 * DAY, null],
    ['second', 'third', NOW - 60 * DAY, null],
    ['third', null, null, null],
    ['gone', 'revoked', NOW - 90 * DAY, null],
    ['revoked', null, null, NOW - 60 * DAY],
  ] as const)
    await fixture.run(
      `INSERT INTO api_keys (id, project_id, name, prefix, hash, created_at, rotated_to, valid_until, revoked_at)
        VALUES (?, 'p', 'n', 'p', 'h', 0, ?, ?, ?)`,
      [id, next, validUntil, revokedAt],
    );
  expect(await expire()).toEqual({ api_keys: 1 });
  expect(await ids('api_keys')).toEqual(['first', 'gone', 'second', 'third']);
  expect(await expire()).toEqual({ api_keys: 1 });
  expect(await ids('api_keys')).toEqual(['first', 'second', 'third']);
});

test('verifications and setup links go when they expire, used or not; invitations 30 days later', async () => {
  for (const [id, end] of Object.entries({ old: NOW, valid: NOW + 1 })) {
    await fixture.run("INSERT INTO verifications VALUES (?1, ?1, 'v', ?2, 0, 0)", [id, end]);
    await fixture.run('INSERT INTO setup_tokens VALUES (?, ?, NULL)', [id, end]);
  }
  await fixture.run('INSERT INTO setup_tokens VALUES (?, ?, ?)', ['used', NOW - 1, NOW - 2]);
  for (const [id, end] of Object.entries({ old: NOW - 30 * DAY, valid: NOW - 30 * DAY + 1 })) {
    const row =
      "INSERT INTO invitations VALUES (?1, 'org', NULL, 'viewer', ?1, 0, 0, NULL, ?2, NULL, NULL, NULL)";
    await fixture.run(row, [id, end]);
  }
  expect(await expire()).toEqual({ invitations: 1, verifications: 1, setup_tokens: 2 });
  expect(await ids('invitations')).toEqual(['valid']);
  expect(await ids('verifications')).toEqual(['valid']);
  expect(await ids('setup_tokens', 'hash')).toEqual(['valid']);
});

test('refused lines are kept for 7 days', async () => {
  const edge = NOW - 7 * DAY;
  for (const at of [edge - 1, edge, edge + 1]) {
    await fixture.run("INSERT INTO quarantined_events VALUES (?, 1, ?, 1, 'e', NULL)", [`q${at}`, at]);
  }
  expect(await expire()).toEqual({ quarantined_events: 2 });
  expect(await ids('quarantined_events', 'received_at')).toEqual([edge + 1]);
});

test('a second run finds nothing', async () => {
  await fixture.run(
    "INSERT INTO sessions (id, expires_at, token, created_at, updated_at, user_id) VALUES ('s', ?, 't', 0, 0, 'u')",
    [NOW - 1],
  );
  expect(await expire()).toEqual({ sessions: 1 });
  expect(await expire()).toEqual({});
});
