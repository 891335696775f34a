import { afterAll, describe, expect, test } from 'bun:test';
import { emptyLedger, inputOf, openLedger, PASSWORD, person } from './ledger.ts';

const ledger = await openLedger();
const none = emptyLedger();
afterAll(() => {
  ledger.remove();
  none.remove();
});
const words = (line: string): string[] => line.split(' ');
const newKey = async (name: string): Promise<Record<string, string>> =>
  (await ledger.json(...words(`keys create -p assistant --name ${name}`))) as Record<string, string>;

describe('keys', () => {
  test('a new key is printed alone on stdout, everything else on stderr', async () => {
    const { code, stdout, stderr } = await ledger.run(words('keys create --project assistant --name ci'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^slk_[0-9a-f]{64}\n$/);
    expect(stderr).toContain('x-api-key');
    expect(stderr).not.toContain(stdout.trim());
  });

  test('create --json', async () => {
    const made = await newKey('json');
    expect(Object.keys(made)).toEqual(['id', 'apiKey', 'projectId', 'name', 'expiresAt']);
    expect(made).toMatchObject({ projectId: ledger.made.projectId, name: 'json' });
  });

  test('rotate --json, and the old key expires in 24 hours', async () => {
    const { id } = await newKey('turning');
    const turned = await ledger.json('keys', 'rotate', id ?? '');
    expect(Object.keys(turned)).toEqual(['id', 'apiKey', 'previousId', 'previousValidUntil']);
    const hours = (Date.parse(String(turned.previousValidUntil)) - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  test('rotate prints the expiry of the old key in UTC and in local time', async () => {
    const { id } = await newKey('dying');
    const { stderr } = await ledger.run(['keys', 'rotate', id ?? '']);
    expect(stderr).toMatch(
      /works until \d{4}-\d\d-\d\d \d\d:\d\d UTC \((\d{4}-\d\d-\d\d )?\d\d:\d\d [+-]\d\d:\d\d here\)/,
    );
    expect((await ledger.run(['keys', 'rotate', id ?? ''])).code).toBe(5);
  });

  test('revoke asks for confirmation, and --yes skips it', async () => {
    const { id = '' } = await newKey('doomed');
    expect((await ledger.run(['keys', 'revoke', id])).code).toBe(2);
    expect((await ledger.run(['keys', 'revoke', id], person('no'))).code).toBe(1);
    expect((await ledger.run(['keys', 'revoke', id], person('doomed'))).code).toBe(0);
    expect(await ledger.json('keys', 'revoke', id, '--yes')).toEqual({ id, revokedAt: expect.any(String) });
  });

  test('list shows states and never a secret', async () => {
    const { stdout } = await ledger.run(words('keys list --project assistant'));
    expect(stdout).toMatch(/^id +name +project +state +last used\n/);
    expect(stdout).not.toMatch(/slk_[0-9a-f]{20}/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('access tokens', () => {
  test('a new token is printed alone on stdout, everything else on stderr', async () => {
    const { code, stdout, stderr } = await ledger.run(words('access-tokens create --name ci --expires 90d'));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^slt_[0-9a-f]{64}\n$/)]);
    expect(stderr).toMatch(/Authorization: Bearer[\s\S]*It works until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(stderr).not.toContain(stdout.trim());
  });

  test('create --json, list and revoke', async () => {
    const made = await ledger.json(...words('access-tokens create --name report -p assistant'));
    expect(made).toMatchObject({
      projectId: ledger.made.projectId,
      scopes: ['read'],
      createdBy: 'ada@example.com',
      expiresAt: null,
    });
    const { token, ...row } = made;
    const { accessTokens } = await ledger.json('access-tokens', 'list');
    expect(accessTokens).toContainEqual(row);
    const { stdout } = await ledger.run(words('access-tokens list --org Acme'));
    expect(stdout).toMatch(/^id +name +scopes +created by +state +/);
    expect(stdout).not.toContain(String(token).slice(0, 20));
    const id = String(row.id);
    expect((await ledger.run(['access-tokens', 'revoke', id])).code).toBe(2);
    expect((await ledger.run(['access-tokens', 'revoke', id], person('no'))).code).toBe(1);
    expect(await ledger.json('access-tokens', 'revoke', id, '--yes')).toMatchObject({ state: 'revoked' });
  });

  test('with several owners the member is named, whose role limits the token', async () => {
    await ledger.json('orgs', 'create', 'Delta');
    for (const name of ['eve', 'dan'])
      await ledger.run(
        words(`users create ${name}@example.com --org Delta --role owner --password-stdin`),
        inputOf(PASSWORD),
      );
    const unclear = await ledger.run(words('access-tokens create --name ci --org Delta'));
    expect([unclear.code, unclear.stderr]).toEqual([5, expect.stringContaining('several owners')]);
    const line = 'access-tokens create --name ci --org Delta --user dan@example.com';
    expect(await ledger.json(...words(line))).toMatchObject({ createdBy: 'dan@example.com', role: 'owner' });
  });
});

describe('organizations, projects and people', () => {
  test('projects and people can be added to a new organization by its name', async () => {
    expect(await ledger.json('orgs', 'create', 'Beta')).toMatchObject({ name: 'Beta', plan: 'free' });
    const project = await ledger.json('projects', 'create', 'search', '--org', 'Beta');
    expect(Object.keys(project)).toEqual(['id', 'name', 'organizationId']);
    const { code, stdout } = await ledger.run(
      words('users create bob@example.com --org Beta --role viewer --password-stdin --json'),
      inputOf(PASSWORD),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: 'bob@example.com',
      name: 'bob',
      organizationId: project.organizationId,
      role: 'viewer',
    });
    expect((await ledger.run(words('projects create other'))).stderr).toContain('--org');
  });

  test('a second project of a name is created with a warning', async () => {
    await ledger.json('orgs', 'create', 'Twins');
    const first = await ledger.run(words('projects create same --org Twins'));
    const second = await ledger.run(words('projects create same --org Twins'));
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.stderr).not.toContain('another project');
    expect(second.stderr).toContain('! The organization has another project same: name both by id\n');
  });

  test('set-plan takes a plan and limits that override it', async () => {
    await ledger.json('orgs', 'create', 'Gamma');
    const line = 'orgs set-plan Gamma pro --monthly-events 7000000';
    const chosen = await ledger.json(...words(line));
    expect(chosen).toMatchObject({ plan: 'pro', monthlyEvents: 7_000_000, retentionDays: 30 });
    expect((await ledger.run(words(line))).stderr).toContain('7,000,000 events and 50 GB per month');
    expect((await ledger.run(words('orgs set-plan Gamma gold'))).code).toBe(2);
  });

  test('a second factor is required of an organization, which says who has none', async () => {
    const rule = await ledger.json('orgs', 'require-second-factor', 'Acme');
    expect(rule).toMatchObject({ name: 'Acme', required: true, without: ['ada@example.com'] });
    const { stderr } = await ledger.run(words('orgs require-second-factor Acme'));
    expect(stderr).toContain('Kept out until they add one: ada@example.com');
    expect(await ledger.json('orgs', 'require-second-factor', 'Acme', '--off')).toMatchObject({
      required: false,
    });
    expect((await ledger.run(words('orgs require-second-factor nope'))).code).toBe(3);
  });

  test('a project is deleted only when its name is typed', async () => {
    const { id } = await ledger.json('projects', 'create', 'old', '--org', 'Acme');
    expect((await ledger.run(words('projects delete old'), person('odl'))).code).toBe(1);
    expect((await ledger.run(words('projects delete old'), person('old'))).code).toBe(0);
    expect((await ledger.run(['projects', 'delete', String(id), '--yes'])).code).toBe(3);
    const { projects } = await ledger.json('projects', 'list', '--org', 'Acme');
    expect(projects).toMatchObject([{ name: 'assistant' }]);
  });
});

describe('jobs and migrations', () => {
  test('a job runs on request, and its run is listed', async () => {
    const run = await ledger.json('jobs', 'run', 'retention.delete_expired');
    expect(run).toMatchObject({ job: 'retention.delete_expired', status: 'ok', trigger: 'manual' });
    const { jobs } = (await ledger.json('jobs', 'list')) as { jobs: { name: string; lastRun: unknown }[] };
    expect(jobs.find(({ name }) => name === 'retention.delete_expired')?.lastRun).toMatchObject({
      status: 'ok',
    });
  });

  test('migrate status lists every migration as applied', async () => {
    expect(await ledger.json('migrate', 'status')).toMatchObject({ database: ledger.path, pending: 0 });
    expect(await ledger.json('migrate', 'up')).toEqual({ database: ledger.path, applied: [] });
  });
});

const exits: readonly (readonly [line: string, code: number, stable: string])[] = [
  ['keys create --project nope --name x', 3, 'not_found'],
  ['keys list --project nope', 3, 'not_found'],
  ['keys rotate key_nope', 3, 'not_found'],
  ['keys revoke key_nope --yes', 3, 'not_found'],
  ['keys create --project assistant', 2, 'usage'],
  ['access-tokens create --org Acme', 2, 'usage'],
  ['access-tokens create --org Acme --name x --scope raed', 2, 'bad_request'],
  ['access-tokens create --org Acme --name x --expires soon', 2, 'usage'],
  ['access-tokens create --org Acme --name x --expires 2020-01-31', 2, 'bad_request'],
  ['access-tokens create --org Acme --name x --project nope', 3, 'not_found'],
  ['access-tokens create --org Acme --name x --user nobody@example.com', 3, 'not_found'],
  ['access-tokens create --org nope --name x', 3, 'not_found'],
  ['access-tokens revoke tok_nope --yes', 3, 'not_found'],
  ['projects create x --org nope', 3, 'not_found'],
  ['projects delete nope --yes', 3, 'not_found'],
  ['orgs set-plan nope pro', 3, 'not_found'],
  ['users reset-factors nobody@example.com --yes', 3, 'not_found'],
  ['users reset-factors ada@example.com --yes', 5, 'conflict'],
  ['jobs run nope', 3, 'not_found'],
  ['users create nobody --org Acme --password-stdin', 2, 'usage'],
  ['keys crate', 2, 'usage'],
  ['report cost', 2, 'usage'],
];
describe('exit codes', () => {
  test.each(exits)('%s: %i', async (line, code, stable) => {
    const result = await ledger.run(words(line));
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toStartWith(`error[${stable}]: `);
  });

  const readers = [
    'keys list',
    'keys create -p a --name b',
    'keys rotate x',
    'keys revoke x --yes',
    'access-tokens list',
    'access-tokens create --name x',
    'access-tokens revoke x --yes',
    'orgs list',
    'orgs create x',
    'orgs set-plan x pro',
    'projects list',
    'projects create x',
    'projects delete x --yes',
    'jobs list',
    'jobs run x',
    'migrate status',
    'migrate up',
    'report costs',
  ];
  test.each(readers)('%s without a database: 6', async (line) => {
    const { code, stdout, stderr } = await none.run(words(line));
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain('spanledger init');
  });
});
