import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countWithout, parseRowFilter, type RowFields } from '../../../src/lib/filter/rows.ts';
import { FilterSyntaxError } from '../../../src/lib/filter-terms.ts';

type Row = {
  readonly name: string;
  readonly state: 'on' | 'off';
  readonly used: number | null;
  readonly tags: Readonly<Record<string, string>>;
};

const FIELDS: RowFields<Row> = {
  name: { label: 'Name', type: 'text', of: ({ name }) => [name] },
  state: { label: 'State', type: 'choice', choices: ['on', 'off'], of: ({ state }) => state },
  used: { label: 'Used', type: 'number', of: ({ used }) => used },
  tag: {
    label: 'Tag',
    type: 'named',
    example: 'tag.team:search',
    of: ({ tags }, name) => (tags[name] === undefined ? [] : [tags[name]]),
  },
};

const ROWS: readonly Row[] = [
  { name: 'Search in production', state: 'on', used: 80, tags: { team: 'search' } },
  { name: 'Chat', state: 'off', used: 1_500, tags: {} },
  { name: '', state: 'on', used: null, tags: { team: 'chat' } },
];

const places = (filter: string): number[] => {
  const holds = parseRowFilter(filter, FIELDS);
  return ROWS.flatMap((row, place) => (holds(row) ? [place] : []));
};

describe('a filter of rows', () => {
  for (const [filter, expected] of [
    ['', [0, 1, 2]],
    ['name:Chat', [1]],
    ['name:chat', []],
    ['name:*CHAT*', [1]],
    ['name:"Search in production",Chat', [0, 1]],
    ['-name:Chat', [0, 2]],
    ['name:*', [0, 1]],
    ['-name:*', [2]],
    ['state:on', [0, 2]],
    ['STATE:ON,off', [0, 1, 2]],
    ['used>80', [1]],
    ['used>=80%', [0, 1]],
    ['used:80', [0]],
    ['used<1.5k', [0]],
    ['used:50..$100', [0]],
    ['used:*', [0, 1]],
    ['-used:*', [2]],
    ['tag.team:search', [0]],
    ['tag.team:s*,chat', [0, 2]],
    ['-tag.team:*', [1]],
    ['"in prod"', [0]],
    ['-chat', [0, 2]],
    ['state:on -used:80', [2]],
  ] as const)
    test(`${filter === '' ? 'an empty one' : filter} leaves rows ${expected.join() || 'none'}`, () => {
      expect(places(filter)).toEqual([...expected]);
    });

  for (const [filter, message] of [
    ['stat:on', 'did you mean state?'],
    ['galaxy:x', 'fields are name, state, used, tag.NAME.'],
    ['state:new', 'state is one of on, off, not "new"'],
    ['name>3', 'name is not a number; write name:VALUE'],
    ['used:much', 'used: "much" is not a number'],
    ['used:9..3', 'the smaller number comes first'],
    ['used>1,2', 'used> takes one number'],
    ['tag:x', 'name the tag, such as tag.team:search'],
    ['name:', 'name has no value'],
    ['a OR b', 'OR is not a part of the language'],
    ['x '.repeat(31), 'more than 30 parts'],
    ['x'.repeat(2_001), 'longer than 2,000 characters'],
  ] as const)
    test(`${filter.slice(0, 20)} is refused: ${message}`, () => {
      expect(() => parseRowFilter(filter, FIELDS)).toThrow(FilterSyntaxError);
      expect(() => parseRowFilter(filter, FIELDS)).toThrow(message);
    });

  test('whatever is typed is read or refused by name, and a part and its opposite divide the rows', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        try {
          parseRowFilter(text, FIELDS);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterSyntaxError);
        }
      }),
    );
    for (const part of ['name:Chat', 'state:on', 'used>80', 'tag.team:*', 'chat'])
      expect([...places(part), ...places(`-${part}`)].sort()).toEqual([0, 1, 2]);
  });

  test('where nothing matches, each part says how many rows there are without it', () => {
    expect(countWithout(['state:off', 'tag.team:*', 'used:*'], ROWS, FIELDS)).toEqual([
      { part: 'state:off', count: 1 },
      { part: 'tag.team:*', count: 1 },
      { part: 'used:*', count: 0 },
    ]);
  });
});
