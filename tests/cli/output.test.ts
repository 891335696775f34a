import { describe, expect, test } from 'bun:test';
import { bar, money, moneyNano, number, percentChange, sparkline } from '../../cli/format.ts';
import { chooseColor, createOutput } from '../../cli/output.ts';
import { facts } from '../../cli/report/pieces.ts';

const open = (overrides: Partial<Parameters<typeof createOutput>[0]> = {}) => {
  const written = { stdout: '', stderr: '' };
  const output = createOutput({
    json: false,
    quiet: false,
    verbose: false,
    color: { stdout: false, stderr: false },
    columns: undefined,
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    ...overrides,
  });
  return { output, written };
};

interface Row {
  readonly model: string;
  readonly calls: number;
  readonly usd: number | null;
}
const shape = [
  { header: 'model', value: (row: Row) => row.model },
  { header: 'calls', value: (row: Row) => row.calls },
  { header: 'cost', value: (row: Row) => money(row.usd) },
];
const rows: readonly Row[] = [
  { model: 'gpt-5', calls: 1_234_567, usd: 1234.5 },
  { model: `claude-${'x'.repeat(100)}`, calls: 2, usd: null },
];

describe('tables', () => {
  test('figures are right-aligned, long text is cut off, and the table fits 80 columns', () => {
    const { output, written } = open();
    output.table(shape, rows);
    const lines = written.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.length)).toEqual([80, 80, 80]);
    expect(lines[0]).toMatch(/^model +calls +cost$/);
    expect(lines[1]).toMatch(/^gpt-5 +1,234,567 {2}\$1,234\.50$/);
    expect(lines[2]).toMatch(/^claude-x+… +2 +–$/);
  });

  test('wide characters count double', () => {
    const { output, written } = open({ columns: 40 });
    output.table(shape, [{ model: '漢字'.repeat(40), calls: 1, usd: 1 }]);
    for (const line of written.stdout.trimEnd().split('\n'))
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40);
  });

  test('a heading is cut off where figures leave no room, and a fact beside its note', () => {
    const { output, written } = open({ columns: 40 });
    output.table([...shape, { header: 'x'.repeat(200), value: () => 1_234_567 }], rows);
    facts(output, [
      { label: 'User', value: { text: 'u'.repeat(200) } },
      { label: 'Cost', value: money(1), note: '2 calls without a price' },
    ]);
    for (const line of written.stdout.trimEnd().split('\n'))
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40);
    expect(written.stdout).toContain('$1,234.50');
    expect(written.stdout).toContain('1,234,567');
  });

  test('without rows only the headings are printed', () => {
    const { output, written } = open();
    output.table(shape, []);
    expect(written.stdout).toBe('model  calls  cost\n');
  });

  test('a name cannot move the cursor, break the row or reverse the text', () => {
    const { output, written } = open();
    output.table(shape, [{ model: '\u001b[2Jevil\n\tname\u202e\u061c\r\u009b1m', calls: 1, usd: 1 }]);
    expect(written.stdout.split('\n')[1]).toMatch(/^\[2Jevil name1m /);
  });

  test('each stream is coloured only if enabled', () => {
    const painted = open({ color: { stdout: true, stderr: false } });
    painted.output.table(shape, rows);
    painted.output.warn('careful');
    expect(painted.written.stdout).toContain('\u001b[');
    expect(painted.written.stderr).toBe('! careful\n');
    const plain = open();
    plain.output.table(shape, rows);
    plain.output.heading('Costs');
    plain.output.line(sparkline([1, 2]), bar(1, 2), percentChange(2, 1, 'bad'));
    plain.output.error({ what: 'x', fix: 'y', code: 'z', stack: 's' });
    expect(plain.written.stdout + plain.written.stderr).not.toContain('\u001b');
  });
});

describe('modes', () => {
  test('--json prints the document alone on stdout', () => {
    const { output, written } = open({ json: true });
    output.heading('Costs');
    output.table(shape, rows);
    output.line('total', number(3));
    output.info('note');
    output.result({ a: 1 }, () => output.line('never'));
    expect(JSON.parse(written.stdout)).toEqual({ a: 1 });
    expect(written.stderr).toBe('› note\n');
  });

  test('--quiet keeps warnings, errors and data', () => {
    const { output, written } = open({ quiet: true });
    output.info('i');
    output.success('s');
    output.detail('d');
    output.warn('w');
    output.line('data');
    expect(written).toEqual({ stdout: 'data\n', stderr: '! w\n' });
  });

  test('details are printed only with --verbose', () => {
    const { output, written } = open({ verbose: true });
    output.detail('d');
    expect(written.stderr).toBe('· d\n');
  });
});

const colors: readonly (readonly [
  flag: 'auto' | 'always' | 'never',
  env: Record<string, string>,
  tty: boolean,
  on: boolean,
])[] = [
  ['auto', {}, true, true],
  ['auto', {}, false, false],
  ['auto', { NO_COLOR: '1' }, true, false],
  ['auto', { NO_COLOR: '' }, true, true],
  ['auto', { TERM: 'dumb' }, true, false],
  ['auto', { FORCE_COLOR: '1' }, false, true],
  ['auto', { FORCE_COLOR: '0' }, true, false],
  ['auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
  ['always', { NO_COLOR: '1' }, false, true],
  ['never', { FORCE_COLOR: '1' }, true, false],
];
const colorCases = colors.map(([flag, env, tty, on]) => {
  const place = tty ? 'on a terminal' : 'in a pipe';
  return [`--color ${flag} ${JSON.stringify(env)} ${place}`, { flag, env, isTerminal: tty }, on] as const;
});
test.each(colorCases)('%s', (_name, wishes, on) => {
  expect(chooseColor(wishes)).toBe(on);
});

describe('figures', () => {
  const cases: readonly (readonly [cell: { text: string }, text: string])[] = [
    [money(0), '$0.00'],
    [money(1234.567), '$1,234.57'],
    [money(-2), '-$2.00'],
    [money(0.5), '$0.50'],
    [money(0.000123456), '$0.000123'],
    [money(null), '–'],
    [moneyNano(1_500_000_000n), '$1.50'],
    [moneyNano(2_500), '$0.0000025'],
    [number(1_234_567), '1,234,567'],
    [number(0.256), '0.26'],
    [percentChange(112, 100), '+12%'],
    [percentChange(97.5, 100), '-2.5%'],
    [percentChange(5, 0), '–'],
    [sparkline([0, 1, null, 4, 8]), '▁▂ ▅█'],
    [sparkline([0, 0]), '▁▁'],
    [bar(1, 2, 4), '██'],
    [bar(9, 2, 4), '████'],
    [bar(0, 0, 4), ''],
  ];
  test.each(cases.map(([cell, text]) => [text, cell.text] as const))('reads %p', (text, shown) => {
    expect(shown).toBe(text);
  });

  test('whether an increase is good or bad depends on the measure', () => {
    expect(percentChange(2, 1, 'bad').tone).toBe('bad');
    expect(percentChange(1, 2, 'bad').tone).toBe('good');
    expect(percentChange(2, 1).tone).toBe('dim');
  });
});
