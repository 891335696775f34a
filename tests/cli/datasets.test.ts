import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { openFolder } from '../helpers/folder.ts';
import { initLedger, runCommand } from '../helpers/server.ts';

const folder = openFolder();
const run = (...args: string[]) =>
  runCommand(['datasets', ...args, '--db', folder.path('ledger.db'), '--json']);
const json = async (...args: string[]) => {
  const { stdout, stderr } = await run(...args);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};
beforeAll(async () => {
  await initLedger(folder.path('ledger.db'), 'ada@example.com', 'correct horse battery');
}, 60_000);
afterAll(() => folder.remove());

test('a file goes in by a mapping and out again, and items are added', async () => {
  const csv = folder.path('reviews.csv');
  writeFileSync(csv, 'text,label,part\nI love it,positive,test\nI hate it,negative,\n');
  const map = ['--map', 'input=text', '--map', 'expectedOutput=label', '--map', 'split=part'];
  const dry = await json('import', 'sentiment', csv, ...map, '--create', '--dry-run');
  expect(dry).toMatchObject({ rows: 2, valid: 2, outcome: null });
  expect(await json('list')).toMatchObject({ datasets: [] });
  expect(await json('import', 'sentiment', csv, ...map, '--create')).toMatchObject({
    outcome: { version: 1, added: 2 },
  });
  const more = folder.path('more.jsonl');
  writeFileSync(more, '{"id":"q-1","input":{"text":"It broke"},"expectedOutput":"negative"}\n');
  expect(await json('items', 'add', 'sentiment', '--file', more)).toMatchObject({ version: 2, added: 1 });
  expect(await json('items', 'add', 'sentiment', '--file', more)).toMatchObject({
    version: 2,
    unchanged: 1,
  });

  const out = folder.path('out.jsonl');
  await json('export', 'sentiment', out);
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { input: 'I love it', expectedOutput: 'positive', split: 'test' },
    { input: 'I hate it', expectedOutput: 'negative' },
    { id: 'q-1', input: { text: 'It broke' }, expectedOutput: 'negative' },
  ]);
  // What was exported is what there is.
  expect(await json('import', 'sentiment', out)).toMatchObject({ outcome: { version: 2, unchanged: 3 } });
  await json('export', 'sentiment', folder.path('old.csv'), '--dataset-version', '1', '--split', 'test');
  expect(readFileSync(folder.path('old.csv'), 'utf8').trim().split(/\r?\n/).length).toBe(2);
}, 120_000);

test('what cannot be done ends with its own exit code', async () => {
  const none = await run('import', 'sentiment', folder.path('none.csv'));
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Cannot read')]);
  const unknown = await run('export', 'nothing', folder.path('x.jsonl'));
  expect(unknown.code).toBe(3);
  const file = folder.path('taken.jsonl');
  writeFileSync(file, '{"input":1}\n');
  expect((await run('export', 'sentiment', file)).code).toBe(2);
  writeFileSync(folder.path('bad.jsonl'), 'no json\n');
  expect((await run('items', 'add', 'sentiment', '--file', folder.path('bad.jsonl'))).code).toBe(2);
}, 120_000);
