import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { defineCommand } from '../../cli/command.ts';
import { commands as shipped } from '../../cli/commands.ts';
import { EXIT, UserError } from '../../cli/user-error.ts';
import { DatabaseFileError } from '../../src/db/file/file-error.ts';
import { AppError, conflict, notAMember, notAuthenticated, notFound, unavailable } from '../../src/errors.ts';
import { runWith } from './terminal.ts';

const greet = defineCommand({
  name: 'people greet',
  summary: 'Greet somebody',
  args: { who: { summary: 'Whom' }, others: { summary: 'Who else', optional: true, variadic: true } },
  options: {
    times: { value: 'N', summary: 'How often', type: z.coerce.number().int().max(9), default: '1' },
    tone: { value: 'TONE', summary: 'How', choices: ['warm', 'cold'], short: 't' },
    tag: { value: 'TAG', summary: 'Mark it', repeat: true },
    dryRun: { summary: 'Only say so' },
    port: { value: 'PORT', summary: 'Port', config: 'PORT' },
  },
  examples: ['spanledger people greet Ada --times 2'],
  run: ({ output, args, options, config, interactive }) =>
    output.result({ args, options, interactive, port: config().values.PORT }, () => output.line(args.who)),
});
const failing = (error: unknown) =>
  defineCommand({
    name: 'fail',
    summary: 'Fail',
    examples: ['spanledger fail'],
    run: () => Promise.reject(error),
  });
const owned = defineCommand({
  name: 'people own',
  summary: 'Own',
  options: { owner: { value: 'NAME', summary: 'Owner', required: true } },
  examples: ['spanledger people own --owner Ada'],
  run: () => EXIT.failure,
});
const commands = [greet, owned];
const run = (...argv: string[]) => runWith(commands, argv);

describe('arguments and options', () => {
  test('the command receives them parsed and by name', async () => {
    const { code, stdout, stderr } = await run(
      ...'people greet Ada Bob Eve --times 3 -t warm --tag a --tag b --dry-run --port 80 --json'.split(' '),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      args: { who: 'Ada', others: ['Bob', 'Eve'] },
      options: { times: 3, tone: 'warm', tag: ['a', 'b'], dryRun: true, port: '80' },
      interactive: false,
      port: 80,
    });
  });

  test('a missing option is false, empty or its default', async () => {
    const { stdout } = await run('--json', 'people', 'greet', 'Ada');
    expect(JSON.parse(stdout)).toEqual({
      args: { who: 'Ada', others: [] },
      options: { times: 1, tag: [], dryRun: false },
      interactive: false,
      port: 4318,
    });
  });

  test('a command may return an exit code', async () => {
    expect(await run('people', 'own', '--owner', 'x')).toEqual({ code: 1, stdout: '', stderr: '' });
  });
});

const usage: readonly (readonly [line: string, what: string, fix: string])[] = [
  ['poeple greet Ada', "Unknown command 'poeple'", 'Did you mean spanledger people?'],
  ['people gret Ada', "Unknown command 'people gret'", 'Did you mean spanledger people greet?'],
  ['zzz --help', "Unknown command 'zzz'", 'See spanledger help'],
  ['help people gret', "Unknown command 'people gret'", 'Did you mean spanledger people greet?'],
  ['people greet Ada --dryrun', "Unknown option '--dryrun'", 'Did you mean --dry-run?'],
  ['people greet', "Missing required argument 'who'", '--help'],
  ['people own', '--owner is required', 'For example: spanledger people own --owner Ada'],
  ['people own --ownr Ada', "Unknown option '--ownr'", 'Did you mean --owner?'],
  ['people own --owner a b', "Too many arguments for 'own'", '--help'],
  ['people greet Ada --tone rude', "argument 'rude' is invalid", '--help'],
  ['people greet Ada --times ten', '--times "ten": ', '--help'],
  ['people greet Ada --port ten', 'PORT (flag) is "ten"', 'Set PORT to a whole number'],
  ['people greet Ada --env-file /nonexistent', 'Cannot read the env file /nonexistent', 'KEY=VALUE'],
];

describe('usage errors', () => {
  test.each(usage)(
    '%s: exit 2, nothing on stdout, one line for the problem and one for the fix',
    async (line, what, fix) => {
      const { code, stdout, stderr } = await run(...line.split(' '));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      const lines = stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatch(/^error\[(usage|config)\]: /);
      expect(lines[0]).toContain(what);
      expect(lines[1]).toStartWith('  fix: ');
      expect(lines[1]).toContain(fix);
    },
  );

  test('with --json the error is one JSON document on stderr', async () => {
    const { code, stdout, stderr } = await run('people', 'grete', '--json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      error: "Unknown command 'people grete'",
      fix: 'Did you mean spanledger people greet?',
      code: 'usage',
    });
  });

  test('a group without a verb shows its help on stderr and exits 2', async () => {
    const { code, stdout, stderr } = await run('people');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('people greet <who> [others...]');
  });
});

const coded = (code: string): Error => Object.assign(new Error('low level'), { code });
const failures: readonly (readonly [name: string, error: unknown, exit: number, code: string])[] = [
  ['a wrong request', new AppError(400, 'No'), 2, 'bad_request'],
  ['a caller who is not signed in', notAuthenticated(), 4, 'not_authenticated'],
  ['a caller who is not a member', notAMember(), 4, 'denied'],
  ['a missing key', notFound('No such key'), 3, 'not_found'],
  ['a conflict', conflict('Taken'), 5, 'conflict'],
  ['an overloaded store', unavailable('Busy'), 1, 'unavailable'],
  ['a full disk beneath', unavailable('Not stored', 1, coded('SQLITE_FULL')), 1, 'disk_full'],
  ['a full disk without room for the shared memory', coded('SQLITE_IOERR_SHMSIZE'), 1, 'disk_full'],
  ['a disk that fails', coded('SQLITE_IOERR_READ'), 1, 'disk_failed'],
  ['a missing file', new DatabaseFileError('There is no database at x.db'), 6, 'database_missing'],
  [
    'a damaged file',
    new DatabaseFileError('x.db is damaged', { cause: coded('SQLITE_CORRUPT_VTAB') }),
    6,
    'database_corrupt',
  ],
  ['a locked file', new Error('query', { cause: coded('SQLITE_BUSY_SNAPSHOT') }), 5, 'database_locked'],
  ['a file that is no database', coded('SQLITE_NOTADB'), 6, 'database_corrupt'],
  ['a port in use', coded('EADDRINUSE'), 5, 'port_in_use'],
  ['a directory without access', coded('EACCES'), 4, 'permission_denied'],
  ['a read-only disk', coded('EROFS'), 4, 'permission_denied'],
  ['a driver that cannot be unpacked', coded('ERR_DLOPEN_FAILED'), 1, 'driver_unavailable'],
  [
    'a driver that cannot be unpacked in a worker',
    new Error('code: "ERR_DLOPEN_FAILED"'),
    1,
    'driver_unavailable',
  ],
  ['an own error', new UserError({ what: 'W', fix: 'F', code: 'own', exit: EXIT.notFound }), 3, 'own'],
  ['a bug', new TypeError('x is undefined'), 1, 'internal'],
  ['a thrown string', 'oops', 1, 'internal'],
];

describe('failures', () => {
  test.each(failures)('%s has its exit code and its stable code', async (_name, error, exit, stable) => {
    const { code, stdout, stderr } = await runWith([failing(error)], ['fail']);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toStartWith(`error[${stable}]: `);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  test('a file without access is named', async () => {
    const error = Object.assign(coded('EACCES'), { path: '/data/x.db.secret' });
    const { stderr } = await runWith([failing(error)], ['fail']);
    expect(stderr).toContain('No permission to read or write /data/x.db.secret\n');
  });

  test('--debug shows the stack and what caused it', async () => {
    const error = new Error('outer', { cause: new Error('inner') });
    const { stderr } = await runWith([failing(error)], ['fail', '--debug']);
    expect(stderr).toMatch(/outer\n +at [\s\S]+caused by: Error: inner/);
  });

  test('a closed pipe is not a failure', async () => {
    const gone = Object.assign(new Error('broken pipe'), { code: 'EPIPE', syscall: 'write' });
    expect(await runWith([failing(gone)], ['fail'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

test.each(['2026-13-01', '2026-02-30'])(
  'the drift from %s, which is no day, is a usage error',
  async (day) => {
    const { code, stderr } = await runWith(shipped, ['connectors', 'drift', '--from', day]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('such as 2026-10-31') });
  },
);

describe('help and version', () => {
  const helps = [
    '',
    '-h',
    '--help',
    'help',
    'people --help',
    'help people',
    'people greet -h',
    'help people greet',
  ];
  test.each(helps)('"%s" goes to stdout, exits 0 and shows an example', async (line) => {
    const { code, stdout, stderr } = await run(...line.split(' ').filter(Boolean));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Examples?:\n {2}spanledger people greet Ada/);
  });

  test('the first page lists whole commands', async () => {
    const { stdout } = await run('help');
    expect(stdout).toMatch(/people greet <who> \[others\.\.\.\] +Greet somebody/);
  });

  test('the first page of the product groups its commands, and shows options after them', async () => {
    const { stdout } = await runWith(shipped, ['--help'], { columns: 120 });
    const titles = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
    expect(titles, 'A new noun has its line in cli/help/purposes.ts').toEqual([
      'Start and serve:',
      'Other servers:',
      'Figures, events and traces:',
      'Costs and prices:',
      'Alerts and notifications:',
      'Datasets and experiments:',
      'Prompts and models:',
      'Access and people:',
      'Operation:',
      'Options:',
      'Examples:',
    ]);
    for (const { name } of shipped) expect(stdout).toMatch(new RegExp(`\n  ${name}( |\n)`));
  });

  test('the version is one line, and all parts with --json', async () => {
    expect((await run('--version')).stdout).toMatch(/^spanledger \d+\.\d+\.\d+\n$/);
    const { stdout } = await run('--version', '--json');
    expect(Object.keys(JSON.parse(stdout))).toEqual(['name', 'version', 'commit', 'bun', 'sqlite']);
  });

  test('after a command with a value it is refused, as the version of something else was meant', async () => {
    const { code, stdout, stderr } = await run('people', 'greet', 'Ada', '--version', '2');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('people greet --help');
  });

  test('the help of a group lists the commands of the groups within it', async () => {
    const { stdout } = await runWith(shipped, ['prices', '--help']);
    expect(stdout).toMatch(/^ {2}prices pack sign <file> +Sign a price pack/m);
  });

  test('every shipped command has a help page with an example, without colour and within 80 columns', async () => {
    for (const command of shipped) {
      const { code, stdout } = await runWith(shipped, [...command.name.split(' '), '--help']);
      expect({ name: command.name, code }).toEqual({ name: command.name, code: 0 });
      expect(stdout).toMatch(/Examples?:\n {2}\S/);
      expect(stdout).not.toContain('\u001b');
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });
});

describe('being stopped', () => {
  const stoppedBy = async (drains: boolean, signals: readonly ('SIGINT' | 'SIGTERM')[]) => {
    const exits: number[] = [];
    let seen = false;
    const command = defineCommand({
      name: 'wait',
      summary: 'Wait',
      examples: ['spanledger wait'],
      ...(drains ? { drains: true } : {}),
      run: (ctx) => {
        seen = ctx.signal.aborted;
      },
    });
    const overrides = {
      onStop: (stop: (signal: 'SIGINT' | 'SIGTERM') => void) => signals.forEach(stop),
      exitNow: (code: number) => exits.push(code),
    };
    const { code, stderr } = await runWith([command], ['wait'], overrides);
    return { code, seen, exits, stderr };
  };

  test('an ordinary command ends at once with 130', async () => {
    expect(await stoppedBy(false, ['SIGINT'])).toMatchObject({ exits: [130], seen: false });
  });

  test('a draining command receives the signal, finishes and exits with 130', async () => {
    const result = await stoppedBy(true, ['SIGINT']);
    expect(result).toMatchObject({ exits: [], seen: true, code: 130 });
    expect(result.stderr).toContain('press Ctrl-C again');
  });

  test('a second Ctrl-C ends a draining command at once', async () => {
    expect(await stoppedBy(true, ['SIGINT', 'SIGINT'])).toMatchObject({ exits: [130], seen: true });
  });

  test('SIGTERM drains and exits with 0', async () => {
    expect(await stoppedBy(true, ['SIGTERM'])).toMatchObject({ exits: [], seen: true, code: 0 });
  });
});
