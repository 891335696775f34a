import { afterAll, describe, expect, test } from 'bun:test';
import { shortLengths } from '../../cli/ids/short.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
afterAll(() => ledger.remove());
const newKey = async (name: string): Promise<string> =>
  String((await ledger.json('keys', 'create', '-p', 'assistant', '--name', name)).id);
const ids = [await newKey('one'), await newKey('two'), await newKey('three')];

describe('the start of an id', () => {
  test('is enough where it is unambiguous, with and without its kind', async () => {
    const [, two = ''] = ids;
    const { stdout } = await ledger.run(['keys', 'list'], { columns: 60 });
    const short = /^(key_\w+) +two /m.exec(stdout)?.[1] ?? '';
    expect(short.length).toBeLessThan(two.length);
    expect(two.startsWith(short)).toBe(true);
    const turned = await ledger.json('keys', 'rotate', short);
    expect(turned.previousId).toBe(two);
    const again = await ledger.json('keys', 'revoke', two.slice('key_'.length, short.length + 2), '--yes');
    expect(again.id).toBe(two);
  });

  test('is refused with the candidates where it is ambiguous', async () => {
    const { code, stderr } = await ledger.run(['keys', 'revoke', 'key_', '--yes']);
    expect(code).toBe(5);
    expect(stderr).toMatch(/error\[ambiguous\]: key_ begins 5 ids: .*\(one, assistant\)/);
    expect(stderr).toContain('Type more of the id');
    const { keys } = (await ledger.json('keys', 'list')) as { keys: { state: string }[] };
    expect(keys.filter(({ state }) => state === 'revoked')).toHaveLength(1);
  });

  test('of nothing is answered as an unknown id is', async () => {
    expect((await ledger.run(['keys', 'rotate', 'zzz'])).code).toBe(3);
    expect((await ledger.run(['budgets', 'remove', 'bud_0000'])).code).toBe(3);
    expect((await ledger.run(['events', 'get', '00000000'])).code).toBe(2);
  });

  test('names a project and an organization too', async () => {
    const { projectId = '', organizationId = '' } = ledger.made;
    const { keys } = (await ledger.json('keys', 'list', '-p', projectId.slice(0, 14))) as { keys: unknown[] };
    expect(keys).toHaveLength(5);
    expect((await ledger.run(['users', 'list', '-o', organizationId.slice(0, 14)])).code).toBe(0);
  });
});

test('a short id has its kind and eight digits at least, and what tells it apart', () => {
  expect(shortLengths(['key_0123456789', 'key_0123456790', 'key_9'])).toEqual([13, 13, 5]);
  expect(shortLengths(['abcdefghijkl', 'abcdefghijkl'])).toEqual([8, 8]);
  expect(shortLengths(['prj_0123456789abcdef'])).toEqual([12]);
});
