import { afterAll, describe, expect, test } from 'bun:test';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
afterAll(() => ledger.remove());
const complete = async (...typed: string[]): Promise<string[]> => {
  const { code, stdout } = await ledger.run(['completions', 'words', '--', ...typed]);
  expect(code).toBe(0);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
};

describe('completions', () => {
  test('offer nouns, verbs and options, without those that were typed', async () => {
    expect(await complete('ke')).toEqual(['keys']);
    expect(await complete('keys', 're')).toEqual(['revoke']);
    expect(await complete('keys', '')).toEqual(['create', 'list', 'rotate', 'revoke']);
    expect(await complete('keys', 'revoke', '--y')).toEqual(['--yes']);
    expect(await complete('report', 'costs', '--csv', '--c')).toEqual(['--color']);
  });

  test('offer choices, projects and ids', async () => {
    expect(await complete('budgets', 'set', '5', '--per', '')).toEqual(['day', 'week', 'month']);
    expect(await complete('report', 'costs', '-p', '')).toEqual(['assistant']);
    expect(await complete('report', 'costs', '--start', '7d', '--project', 'as')).toEqual(['assistant']);
    expect(await complete('keys', 'revoke', '')).toEqual([ledger.made.keyId ?? '']);
    expect(await complete('--db', ledger.path, 'keys', 'rotate', 'key_')).toHaveLength(1);
  });

  test('are silent where nothing can be read', async () => {
    expect(await complete('--db', '/nowhere/x.db', 'keys', 'rotate', '')).toEqual([]);
    expect(await complete('report', 'costs', '--server', 'none', '-p', '')).toEqual([]);
    expect(await complete('no', 'such', '')).toEqual([]);
  });

  test.each(['bash', 'zsh', 'fish'])('the script of %s is one that the shell can read', async (shell) => {
    const { stdout } = await ledger.run(['completions', shell]);
    expect(stdout).toContain('spanledger completions words --');
    if (Bun.which(shell) === null) return;
    const check = Bun.spawnSync([shell, '-n'], { stdin: new TextEncoder().encode(stdout) });
    expect([check.exitCode, check.stderr.toString()]).toEqual([0, '']);
  });

  test('complete in a real bash', async () => {
    const { stdout: script } = await ledger.run(['completions', 'bash']);
    const typed = `spanledger() { if [ "$2" = words ]; then printf 'revoke\\tRevoke\\nrotate\\tx y\\n'; fi; }
${script}
COMP_WORDS=(spanledger keys r) COMP_CWORD=2
_spanledger
printf '%s,' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = Bun.spawnSync(['bash', '-c', typed]);
    expect([stdout.toString(), stderr.toString()]).toEqual(['revoke,rotate,', '']);
  });
});
