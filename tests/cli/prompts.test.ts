import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openFolder } from '../helpers/folder.ts';
import { initLedger, runCommand } from '../helpers/server.ts';

const folder = openFolder();
const run = (...args: string[]) =>
  runCommand(['prompts', ...args, '--db', folder.path('ledger.db'), '--json']);
const json = async (...args: string[]) => JSON.parse((await run(...args)).stdout);
const changes = async (...args: string[]): Promise<string[]> =>
  ((await json('push', ...args)) as { prompts: { change: string }[] }).prompts.map(({ change }) => change);
beforeAll(async () => {
  await initLedger(folder.path('ledger.db'), 'ada@example.com', 'correct horse battery');
}, 60_000);
afterAll(() => folder.remove());

test('a folder of prompts goes in and out unchanged, and only what differs gets a version', async () => {
  const file = folder.path('in/support/triage.prompt.json');
  await mkdir(dirname(file), { recursive: true });
  const write = (line: string) =>
    writeFile(file, JSON.stringify({ name: 'support/triage', template: ['Hi {{name}}', line], tags: ['x'] }));
  await write('two');
  await writeFile(
    folder.path('in/odd.prompt.json'),
    JSON.stringify({ name: 'odd?', messages: [{ role: 'user', content: '{{q}}' }] }),
  );
  expect(await changes(folder.path('in'), '--dry-run')).toEqual(['created', 'created']);
  expect(await json('list')).toEqual({ prompts: [], more: false });
  expect(await changes(folder.path('in'), '--label', 'production')).toEqual(['created', 'created']);
  expect(await json('pull', folder.path('out'))).toEqual({
    files: [folder.path('out/odd%3F.prompt.json'), folder.path('out/support/triage.prompt.json')],
  });
  expect(await changes(folder.path('out'))).toEqual(['unchanged', 'unchanged']);
  await write('three');
  expect(await changes(folder.path('in'))).toEqual(['unchanged', 'new version']);
  expect(await json('get', 'support/triage')).toMatchObject({
    candidates: [{ version: 1, template: 'Hi {{name}}\ntwo' }],
  });
  expect(await json('label', 'support/triage', 'production', '1:90,2:10')).toMatchObject({
    versions: [{}, {}],
  });
  expect(await json('diff', 'support/triage', '1', 'latest')).toMatchObject({ isSame: false });
  expect(await json('show', 'support/triage')).toMatchObject({
    type: 'text',
    tags: ['x'],
    versions: [{ version: 2, figures: null }, { version: 1 }],
  });
}, 60_000);

test('what cannot be read is refused with the way out', async () => {
  expect((await run('get', 'nowhere')).code).toBe(3);
  expect((await run('show', 'nowhere')).code).toBe(3);
  expect((await run('run', 'support/triage', '--var', 'x')).code).toBe(2);
  const unset = await run('run', 'support/triage', '--at', '2', '--var', 'name=Ada');
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringMatching(/names no model/)]);
  expect((await run('label', 'support/triage', 'production', 'x')).code).toBe(2);
  expect((await run('push', folder.path('nowhere'))).code).toBe(2);
  await mkdir(folder.path('bad'));
  await writeFile(folder.path('bad/x.prompt.json'), '{');
  expect((await run('push', folder.path('bad'))).code).toBe(2);
  await writeFile(folder.path('bad/x.prompt.json'), '{"name":"../up","template":"x"}');
  const bad = await run('push', folder.path('bad'));
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/x\.prompt\.json: name /)]);
  expect((await run('delete', 'support/triage', '--yes')).code).toBe(0);
}, 60_000);
