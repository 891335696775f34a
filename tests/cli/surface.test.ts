import { afterAll, expect, test } from 'bun:test';
import { toKebab } from '../../cli/command.ts';
import { commands } from '../../cli/commands.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
afterAll(() => ledger.remove());

/** A document with its values replaced by their types, and lists by their first element. */
const shapeOf = (value: unknown): unknown => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
};

test('the commands, their arguments and options are these', () => {
  const surface = commands.map(({ name, args, options }) =>
    [
      name,
      ...Object.keys(args).map((arg) => `<${arg}>`),
      ...Object.keys(options).map((key) => `--${key}`),
    ].join(' '),
  );
  expect(
    surface,
    'The commands changed. If this is intended: `bun test -u tests/cli/surface.test.ts`, and update README.md',
  ).toMatchSnapshot();
});

test('examples have every required option', () => {
  const lacking = commands.flatMap(({ examples, options }) =>
    examples.flatMap((example) =>
      Object.entries(options)
        .filter(([, { required }]) => required)
        .flatMap(([key, { short }]) =>
          new RegExp(` (--${toKebab(key)}|-${short ?? '-'}) `).test(example) ? [] : `${example}: --${key}`,
        ),
    ),
  );
  expect(lacking).toEqual([]);
});

// `serve` and `events tail` do not end; `events tail` and benchmarks have their own tests.
const ends = ({ name }: { name: string }): boolean =>
  name !== 'serve' && name !== 'events tail' && !name.startsWith('bench ');
test.each(commands.filter(ends).map(({ name }) => name))(
  '%s writes no ESC byte into a pipe, whatever happens',
  async (name) => {
    const { stdout, stderr } = await ledger.run(name.split(' '));
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stdout + stderr).not.toBe('');
  },
);

test('the JSON documents of the commands have these shapes', async () => {
  const { keyId = '' } = ledger.made;
  const lines: readonly (readonly string[])[] = [
    ['keys', 'list'],
    ['keys', 'create', '--project', 'assistant', '--name', 'x'],
    ['keys', 'rotate', keyId],
    ['keys', 'revoke', keyId, '--yes'],
    ['orgs', 'list'],
    ['orgs', 'create', 'Beta'],
    ['orgs', 'set-plan', 'Beta', 'pro'],
    ['orgs', 'require-second-factor', 'Beta'],
    ['projects', 'list'],
    ['projects', 'create', 'search', '--org', 'Acme'],
    ['projects', 'delete', 'search', '--yes'],
    ['users', 'list', '--org', 'Acme'],
    ['users', 'reset-link', 'ada@example.com'],
    ['users', 'invite-link', '--org', 'Acme'],
    ['jobs', 'list'],
    ['jobs', 'run', 'retention.delete_expired'],
    ['migrate', 'status'],
    ['migrate', 'up'],
    ['config', 'show'],
  ];
  const shapes: Record<string, unknown> = { init: shapeOf(ledger.made) };
  for (const words of lines) {
    const { result: _ran, ...doc } = await ledger.json(...words);
    shapes[words.slice(0, 2).join(' ')] = shapeOf(doc);
  }
  expect(shapes).toMatchSnapshot();
});
