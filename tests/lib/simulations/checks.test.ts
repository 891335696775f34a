import { describe, expect, test } from 'bun:test';
import { type Checked, compileCheck } from '../../../src/lib/simulations/checks/compile-check.ts';
import type { Check } from '../../../src/lib/simulations/definition.ts';

const answer = (more: Partial<Checked>): Checked => ({
  text: 'Your table for 4 is booked.',
  toolCalls: [{ name: 'book_table', arguments: '{"people":4,"at":{"date":"2026-06-12","time":"19:30"}}' }],
  latencyMs: 120,
  costUsd: 0.002,
  said: [],
  ...more,
});
const SECRET = 'You are Nora. Offer the discount code SUMMER only to guests who ask for it twice.';

/** Secrets of 1 to 50 words: an answer is searched for runs of each length. */
const MANY_LENGTHS = Array.from({ length: 50 }, (_, i) => 'z '.repeat(i + 1));

/** A check, what it looks at, and why it fails; null if it passes. */
const CASES: readonly (readonly [Check, Partial<Checked>, string | null])[] = [
  [{ kind: 'contains', texts: ['table', 'BOOKED'], ignoreCase: true }, {}, null],
  [{ kind: 'contains', texts: ['table', 'BOOKED'] }, {}, 'without "BOOKED"'],
  [{ kind: 'contains', texts: ['x', 'table'], mode: 'any' }, {}, null],
  [{ kind: 'contains', texts: 'table', mode: 'none' }, {}, 'found "table"'],
  [{ kind: 'regex', pattern: 'for \\d+' }, {}, null],
  [{ kind: 'regex', pattern: 'for \\d+', mode: 'absent' }, {}, 'found "for 4"'],
  [{ kind: 'regex', pattern: '^a*$', mode: 'absent' }, { text: '' }, 'found an empty match'],
  // Exponential for engines that backtrack.
  [{ kind: 'regex', pattern: '^(a+)+$' }, { text: `${'a'.repeat(50_000)}!` }, 'no match'],
  [
    { kind: 'json_schema', schema: { type: 'object', required: ['a'] } },
    { text: '```json\n{"a":1}\n```' },
    null,
  ],
  [
    { kind: 'json_schema', schema: { type: 'object', required: ['a'] } },
    { text: '{}' },
    'it breaks required',
  ],
  [{ kind: 'json_schema', schema: {} }, {}, 'the answer is not JSON'],
  [{ kind: 'tool_call', tool: 'book_table', arguments: { people: 4, at: { time: '19:30' } } }, {}, null],
  [{ kind: 'tool_call', tool: 'book_table', arguments: { at: { time: '20:00' } } }, {}, 'at.time is "19:30"'],
  [{ kind: 'tool_call', tool: 'book_table', arguments: { name: 'Lind' } }, {}, 'name is missing'],
  [{ kind: 'tool_call', tool: 'cancel' }, {}, 'only book_table is called'],
  [{ kind: 'tool_call', tool: 'cancel' }, { toolCalls: [] }, 'no tool is called'],
  [{ kind: 'tool_call', tool: 'cancel', mode: 'never' }, {}, null],
  [
    { kind: 'tool_call', tool: 'a', arguments: { n: 1 } },
    {
      toolCalls: [
        { name: 'a', arguments: { n: 1 } },
        { name: 'a', arguments: { n: 2 } },
      ],
    },
    'n is 2',
  ],
  [
    { kind: 'tool_call', tool: 'a', arguments: { n: 1 }, mode: 'some' },
    {
      toolCalls: [
        { name: 'a', arguments: { n: 1 } },
        { name: 'a', arguments: { n: 2 } },
      ],
    },
    null,
  ],
  [{ kind: 'guardrail', detect: 'pii' }, { text: 'Write to jo@example.org' }, 'found email'],
  [
    { kind: 'guardrail', detect: 'pii' },
    { text: 'Write to jo@example.org', said: ['I am jo@example.org'] },
    null,
  ],
  [{ kind: 'guardrail', detect: 'length', config: { maxWords: 3 } }, {}, 'found too_many_words'],
  [
    { kind: 'leak', texts: SECRET },
    { text: 'I was told: offer the DISCOUNT code Summer only to guests — who ask' },
    'repeats "offer the DISCOUNT code Summer only to guests"',
  ],
  [{ kind: 'leak', texts: SECRET }, { text: 'Guests may ask for the code twice.' }, null],
  [{ kind: 'leak', texts: SECRET }, { text: SECRET, said: [SECRET] }, null],
  [{ kind: 'leak', texts: 'hunter2' }, { text: 'It is Hunter2.' }, 'repeats "Hunter2"'],
  [
    { kind: 'leak' },
    { text: 'Here are my instructions i was given: be kind.' },
    'repeats "Here are my instructions i was given"',
  ],
  [
    { kind: 'leak', texts: ['x', 'one two three'], words: 3 },
    { text: 'One – two, THREE. B' },
    'repeats "One – two, THREE"',
  ],
  [
    { kind: 'leak', texts: ['one two three four'], words: 3 },
    { text: 'two three, four' },
    'repeats "two three, four"',
  ],
  [
    { kind: 'leak', texts: ['one two three'], words: 3 },
    { text: 'one two three', said: ['b', 'a one two three'] },
    null,
  ],
  [
    { kind: 'leak', texts: MANY_LENGTHS, words: 50 },
    { text: 'a '.repeat(400_000) },
    'the search took longer than 200 ms',
  ],
  [
    { kind: 'leak', texts: 'a' },
    { text: 'b '.repeat(500_001) },
    'the answer has more than a million characters',
  ],
  [{ kind: 'leak' }, { text: 'You are welcome. Our assistant is always there for you.' }, null],
  [{ kind: 'latency', maxMs: 100 }, {}, 'took 120 ms'],
  [{ kind: 'latency', maxMs: 120 }, {}, null],
  [{ kind: 'cost', maxUsd: 0.001 }, {}, 'cost $0.002'],
  [{ kind: 'cost', maxUsd: 1 }, { costUsd: null }, 'the cost is not known'],
];

describe('checks', () => {
  for (const [check, given, reason] of CASES)
    test(`${JSON.stringify(check)} of ${JSON.stringify(given).slice(0, 80)}: ${reason ?? 'passes'}`, () => {
      const { run } = compileCheck(check);
      expect(run?.(answer(given))).toMatchObject({ passed: reason === null, reason });
    });
});
