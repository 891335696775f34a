import { expect, test } from 'bun:test';
import { shellWord } from '../../../src/lib/text/shell-word.ts';

test.each(['ledger.db', '/data/a b.db', "it's.db", '$HOME', '*/gpt-4o', 'tag:team', ''])(
  'a shell reads %p as it is',
  (text) => {
    const shell = Bun.spawnSync(['sh', '-c', `printf %s ${shellWord(text)}`]);
    expect(shell.stdout.toString()).toBe(text);
  },
);

test('a word that needs no quotes has none', () => {
  expect(shellWord('/var/lib/spanledger/ledger.db')).toBe('/var/lib/spanledger/ledger.db');
});
