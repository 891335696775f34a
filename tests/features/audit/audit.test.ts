import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { createKey } from '../../../src/core/keys/index.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { createProject } from '../../../src/core/projects/index.ts';
import type { AuditEntry, AuditPage, VerifyReply } from '../../../src/features/audit/contract.ts';
import { auditRows, runSql } from '../../core/audit/rows.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

async function get<T>(path: string, bearer = world.seed.bearer): Promise<T> {
  const separator = path.includes('?') ? '&' : '?';
  const response = await world.fetch(`${path}${separator}organizationId=${world.seed.organizationId}`, {
    bearer,
  });
  expect([response.status, path]).toEqual([200, path]);
  return (await response.json()) as T;
}
const actions = ({ entries }: AuditPage) => entries.map(({ action }) => action);
const addKeys = async (count: number) => {
  for (let i = 0; i < count; i++)
    await world.app.act(
      createKey,
      { project: world.seed.projectId, name: `k${i}` },
      { kind: 'operator', name: 'eve' },
    );
};

describe('GET /v1/audit', () => {
  test('lists entries newest first, with actor, action and origin', async () => {
    await world.fetch(`/v1/projects/${world.seed.projectId}/sdk-config`, {
      method: 'PUT',
      bearer: world.seed.bearer,
      json: { sampleRate: 0.5 },
      headers: { 'User-Agent': 'a browser' },
    });
    const page = await get<AuditPage>('/v1/audit');
    expect(actions(page)).toEqual([
      'sdk_config.updated',
      'user.signed_in',
      'member.added',
      'project.api_key_created',
      'project.created',
      'organization.created',
    ]);
    expect(page.entries[0]).toEqual({
      id: expect.stringMatching(/^aud_[0-9a-f]{32}$/),
      seq: 6,
      timestamp: '2026-06-15T12:00:00.000Z',
      actor: { kind: 'user', id: world.seed.userId, email: world.seed.email },
      organizationId: world.seed.organizationId,
      projectId: world.seed.projectId,
      action: 'sdk_config.updated',
      subject: { type: 'sdk_config', id: world.seed.projectId },
      before: expect.objectContaining({ sampleRate: 1, storePrompts: false }),
      after: expect.objectContaining({ sampleRate: 0.5, storePrompts: false }),
      source: { address: '127.0.0.1', userAgent: 'a browser' },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      previousHash: page.entries[1]?.hash ?? '',
    });
  });

  test('pages by cursor while entries are added, each once', async () => {
    await addKeys(9);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: AuditPage = await get(`/v1/audit?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.entries.map(({ seq }) => seq));
      cursor = page.nextCursor;
      await addKeys(1);
    }
    expect(seen).toEqual(Array.from({ length: 14 }, (_, i) => 14 - i));
  });

  test('filters by action, actor, project and time', async () => {
    const other = await world.app.act(createProject, { organization: 'Acme', name: 'other' });
    world.clock.advance(60_000);
    await addKeys(2);
    const filtered = async (filter: string) => actions(await get<AuditPage>(`/v1/audit?${filter}`));
    expect(await filtered('action=project.created')).toEqual(['project.created', 'project.created']);
    expect((await filtered('action=project.')).length).toBe(5);
    expect(await filtered('action=project.*')).toEqual([]);
    expect((await filtered('actor=operator:eve')).length).toBe(2);
    expect(await filtered('actor=nobody@example.com')).toEqual([]);
    expect(await filtered(`projectId=${other.id}`)).toEqual(['project.created']);
    expect((await filtered('start=2026-06-15T12:01:00Z')).length).toBe(2);
    expect((await filtered('end=2026-06-15T12:00:00Z')).length).toBe(6);
    expect((await filtered('action=&limit=1')).length).toBe(1);
  });

  test('is for admins and owners of that organization', async () => {
    const foreign = await world.addTenant();
    const at = (path: string, bearer?: string) => world.fetch(path, bearer === undefined ? {} : { bearer });
    for (const path of ['/v1/audit', '/v1/audit/verify', '/v1/audit/export']) {
      const full = `${path}?organizationId=${world.seed.organizationId}`;
      expect((await at(full)).status).toBe(401);
      for (const bearer of [foreign.bearer, (await world.addUser('member')).bearer])
        expect((await at(full, bearer)).status).toBe(403);
      expect((await at(full, (await world.addUser('admin')).bearer)).status).toBe(200);
      expect(await (await at(path, world.seed.bearer)).json()).toEqual({
        error: 'organizationId is required',
      });
    }
    const page = await get<AuditPage>('/v1/audit');
    expect(page.entries.every(({ organizationId }) => organizationId === world.seed.organizationId)).toBe(
      true,
    );
  });
});

describe('GET /v1/audit/export', () => {
  test('is CSV without formulas in cells', async () => {
    await world.app.act(createProject, { organization: 'Acme', name: '=HYPERLINK("http://evil")' });
    const evil = { 'User-Agent': '=cmd|calc' };
    const put = { method: 'PUT', bearer: world.seed.bearer, json: { sampleRate: 0.1 }, headers: evil };
    await world.fetch(`/v1/projects/${world.seed.projectId}/sdk-config`, put);
    const response = await world.fetch(`/v1/audit/export?organizationId=${world.seed.organizationId}`, {
      bearer: world.seed.bearer,
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = await response.text();
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toStartWith('timestamp,actor_kind,actor_id,actor_email,organization_id');
    expect(lines[7]).toContain(",'=cmd|calc,");
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m);
  });

  test('has all entries of a log that is larger than a page, and the filters', async () => {
    await addKeys(3);
    const rows = await auditRows(world.ctx, world.seed.organizationId);
    const csv = async (filter = '') => {
      const path = `/v1/audit/export?organizationId=${world.seed.organizationId}${filter}`;
      return (await (await world.fetch(path, { bearer: world.seed.bearer })).text()).trimEnd().split('\r\n');
    };
    const lines = await csv();
    expect(lines.slice(1).map((line) => line.split(',').at(-1))).toEqual(rows.map(({ hash }) => hash));
    expect(await csv('&actor=operator:eve')).toHaveLength(4);
  });

  test('is refused on a plan without it', async () => {
    await world.app.act(setPlan, { organization: 'Acme', plan: 'pro' });
    const path = `/v1/audit/export?organizationId=${world.seed.organizationId}`;
    const response = await world.fetch(path, { bearer: world.seed.bearer });
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: 'CSV export of the audit log requires the plan scale; this organization is on pro' },
    ]);
  });
});

describe('GET /v1/audit/verify', () => {
  /** What the owner of the file can do: take the triggers away and write. */
  async function tamper(...statements: string[]): Promise<void> {
    for (const trigger of [
      'log_update',
      'log_delete',
      'log_insert',
      'heads_update',
      'heads_delete',
      'heads_insert',
    ])
      await runSql(world.ctx, `DROP TRIGGER IF EXISTS audit_${trigger}`);
    await runSql(world.ctx, 'DROP TRIGGER IF EXISTS audit_log_inserted');
    for (const statement of statements) await runSql(world.ctx, statement);
  }
  const verify = (head = '') => get<VerifyReply>(`/v1/audit/verify${head === '' ? '' : `?head=${head}`}`);
  const problems = async () => {
    const { ok, problems } = await verify();
    expect(ok).toBe(problems.length === 0);
    return problems.map(({ seq, problem }) => `${seq} ${problem}`);
  };

  test('accepts an unchanged log and returns its last entry', async () => {
    await addKeys(4);
    const last = (await auditRows(world.ctx, world.seed.organizationId)).at(-1);
    expect(await verify()).toEqual({
      organizationId: world.seed.organizationId,
      ok: true,
      entries: 9,
      head: { seq: 9, hash: last?.hash ?? '' },
      problems: [],
    });
  });

  test.each([
    'organization_id',
    'id',
    'at',
    'actor_kind',
    'actor_id',
    'actor_email',
    'project_id',
    'action',
    'subject_type',
    'subject_id',
    'before',
    'after',
    'address',
    'user_agent',
  ])('finds an edit of %s', async (column) => {
    await addKeys(2);
    const value = column === 'at' ? '1' : column === 'organization_id' ? "'org_x'" : "'x'";
    await tamper(`UPDATE audit_log SET ${column} = ${value} WHERE seq = 3`);
    const found = await problems();
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toMatch(/^3 was changed|^4 entries 3 to 3 are missing/);
  });

  test('detects an edit whose hash was recomputed', async () => {
    await addKeys(2);
    const rows = await auditRows(world.ctx, world.seed.organizationId);
    const { hash: _, ...row } = { ...rows[2], action: 'x.forged' };
    const order =
      'organization_id seq id at actor_kind actor_id actor_email project_id action subject_type subject_id before after address user_agent previous_hash';
    const values = order.split(' ').map((column) => (row as Record<string, unknown>)[column]);
    const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex');
    await tamper(`UPDATE audit_log SET action = 'x.forged', hash = '${hash}' WHERE seq = 3`);
    expect(await problems()).toEqual([
      '4 does not follow the previous entry: one of the two was inserted or changed',
    ]);
  });

  test('detects removed, swapped, inserted and truncated entries', async () => {
    await addKeys(6);
    await tamper('DELETE FROM audit_log WHERE seq = 5');
    expect(await problems()).toEqual(['6 entries 5 to 5 are missing']);
    await tamper(
      'UPDATE audit_log SET seq = 100 WHERE seq = 6',
      'UPDATE audit_log SET seq = 6 WHERE seq = 7',
      'UPDATE audit_log SET seq = 7 WHERE seq = 100',
    );
    expect((await problems()).length).toBeGreaterThan(3);
  });

  test('detects removed newest entries, and a changed recorded last entry', async () => {
    await addKeys(6);
    await tamper('DELETE FROM audit_log WHERE seq > 8');
    expect(await problems()).toEqual(['11 entries 9 to 11 were removed from the end']);
    await tamper('UPDATE audit_heads SET seq = 7');
    expect(await problems()).toEqual(['7 is not the recorded last entry']);
    await tamper('DELETE FROM audit_heads');
    expect(await problems()).toEqual(['8 the recorded last entry is missing']);
  });

  test('a noted entry detects a log that was rebuilt with its recorded last entry', async () => {
    await addKeys(3);
    const { head } = await verify();
    const noted = `${head?.seq}:${head?.hash}`;
    await addKeys(1);
    expect((await verify(noted)).ok).toBe(true);
    await tamper(
      'DELETE FROM audit_log WHERE seq > 6',
      'UPDATE audit_heads SET (seq, hash) = (SELECT seq, hash FROM audit_log WHERE seq = 6)',
    );
    expect((await verify()).ok).toBe(true);
    expect((await verify(noted)).problems).toEqual([
      { seq: 8, problem: 'does not have the hash that was noted' },
    ]);
    const wrong = await world.fetch(`/v1/audit/verify?organizationId=${world.seed.organizationId}&head=7`, {
      bearer: world.seed.bearer,
    });
    expect(wrong.status).toBe(400);
  });

  test('a chain longer than one step is verified to its end', async () => {
    await addKeys(1);
    await runSql(world.ctx, "UPDATE organizations SET name = 'x'");
    const entry = async (): Promise<AuditEntry | undefined> =>
      (await get<AuditPage>('/v1/audit?limit=1')).entries[0];
    const { commitChange } = await import('../../../src/core/audit/index.ts');
    const audit = Array.from({ length: 2_500 }, () => ({
      action: 'x.done',
      organizationId: world.seed.organizationId,
    }));
    await commitChange(world.ctx, { kind: 'operator', name: 'eve' }, { statements: [], audit });
    expect(await verify()).toMatchObject({ ok: true, entries: 2_506, head: { seq: (await entry())?.seq } });
    await tamper("UPDATE audit_log SET action = 'x.undone' WHERE seq = 2100");
    expect(await problems()).toEqual(['2100 was changed: its hash does not match']);
  });
});
