import { afterAll, beforeAll, expect, test } from 'bun:test';
import { inputOf, openLedger, type TestLedger } from './ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.remove());

const changes: readonly (readonly [
  kind: string,
  made: string[],
  secret: string,
  change: string[],
  target: string,
])[] = [
  [
    'webhook',
    ['--url', 'https://a.example.com/x'],
    '',
    ['--url', 'https://b.example.com/y'],
    'b.example.com',
  ],
  [
    'webhook',
    ['--url', 'https://a.example.com/x'],
    'https://c.example.com/z',
    ['--secret-stdin'],
    'c.example.com',
  ],
  ['slack', ['--secret-stdin'], 'https://hooks.slack.com/services/x', ['--secret-stdin'], 'hooks.slack.com'],
  [
    'pagerduty',
    ['--secret-stdin'],
    'R'.repeat(32),
    ['--secret-stdin', '--region', 'eu'],
    'events.eu.pagerduty.com',
  ],
  ['pagerduty', ['--secret-stdin'], 'R'.repeat(32), ['--region', 'eu'], 'events.eu.pagerduty.com'],
];

test.each(changes)(
  'a channel of kind %s that was made with %p takes a new target',
  async (...[kind, made, secret, change, target]) => {
    const run = async (words: readonly string[]): Promise<Record<string, string>> => {
      const { code, stdout, stderr } = await ledger.run([...words, '--json'], inputOf(secret));
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout) as Record<string, string>;
    };
    const { id = '' } = await run(['channels', 'create', crypto.randomUUID(), '--kind', kind, ...made]);
    expect(await run(['channels', 'update', id, ...change])).toMatchObject({ id, kind, target });
  },
);

test('a recipient is no target of a webhook', async () => {
  const { id } = await ledger.json(
    'channels',
    'create',
    'hook',
    '--kind',
    'webhook',
    '--url',
    'https://a.example.com',
  );
  const { code, stderr } = await ledger.run(['channels', 'update', id as string, '--to', 'ada@example.com']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('config.to: a channel of kind webhook has no such setting'),
  ]);
});
