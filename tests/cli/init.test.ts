import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyLedger, INIT, inputOf, openLedger, PASSWORD, person, type TestLedger } from './ledger.ts';

const opened: TestLedger[] = [];
const fresh = (): TestLedger => {
  const ledger = emptyLedger();
  opened.push(ledger);
  return ledger;
};
afterEach(() => {
  for (const ledger of opened.splice(0)) ledger.remove();
});

describe('init', () => {
  test('does not prompt if everything is given, and prints the ids and the key', async () => {
    const { code, stdout, stderr } = await fresh().run([...INIT, '--json'], inputOf(`${PASSWORD}\n`));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      organizationId: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      projectId: expect.stringMatching(/^prj_[0-9a-f]{32}$/),
      userId: expect.stringMatching(/^usr_[0-9a-f]{32}$/),
      keyId: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      apiKey: expect.stringMatching(/^slk_[0-9a-f]{64}$/),
    });
  });

  test('prompts for missing values, and twice for the password', async () => {
    const terminal = person('Acme', 'assistant', 'ada@example.com', PASSWORD, PASSWORD);
    const { code, stdout, stderr } = await fresh().run(['init'], terminal);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^organization {2}Acme +org_[0-9a-f]{32}\n/);
    expect(stdout).toMatch(/\nexport SPANLEDGER_API_KEY=slk_[0-9a-f]{64}\n$/);
    expect(stderr).not.toContain('slk_');
  });

  test('takes the password from a file', async () => {
    const ledger = fresh();
    const file = join(ledger.dir, 'password');
    writeFileSync(file, `${PASSWORD}\n`);
    const words = [...INIT.filter((word) => word !== '--password-stdin'), '--password-file', file];
    expect((await ledger.run(words)).code).toBe(0);
  });

  const refusals: readonly (readonly [name: string, words: string[], input: string, fix: string])[] = [
    ['no password', INIT.slice(0, -1), '', 'Add --password-stdin'],
    ['an empty password', INIT, '\n', 'at least 8'],
    ['a short password', INIT, 'short\n', '--help'],
    ['a missing option', ['init', '--org', 'Acme'], '', 'Add --project'],
    ['a wrong address', INIT.map((word) => word.replace('ada@', 'ada')), PASSWORD, '--help'],
  ];
  test.each(refusals)('%s is a usage error and creates no file', async (_name, words, input, fix) => {
    const ledger = fresh();
    const { code, stdout, stderr } = await ledger.run(words, inputOf(input));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(fix);
    expect(existsSync(ledger.path)).toBe(false);
  });

  test('two passwords that differ are refused', async () => {
    const { code, stderr } = await fresh().run(['init'], person('A', 'b', 'a@b.co', PASSWORD, 'other one'));
    expect(code).toBe(2);
    expect(stderr).toContain('differ');
  });
});

describe('a file with an owner', async () => {
  const ledger = await openLedger();
  afterAll(() => ledger.remove());

  test('is refused before the first prompt', async () => {
    const { code, stdout, stderr } = await ledger.run(['init'], person());
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('error[already_initialized]');
  });

  test('is unchanged', async () => {
    expect(await ledger.json('orgs', 'list')).toMatchObject({
      organizations: [{ name: 'Acme', plan: 'scale' }],
    });
  });
});
