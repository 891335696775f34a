import { describe, expect, test } from 'bun:test';
import { readSuite } from '../../../src/lib/simulations/read-suite.ts';
import { READY_SUITES } from '../../../src/lib/simulations/suites/ready-suites.ts';

const hi = { name: 'Hi', script: ['Hello'] };
/** A pattern of 1,998 parts. */
const LARGE = '\\w{999}\\w{999}';
const problemOf = (given: unknown): string => {
  try {
    readSuite(given);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('an error names the place', () => {
  const CASES: readonly (readonly [unknown, string])[] = [
    [null, 'Invalid input: expected object, received null'],
    [{ name: 'x', scenarios: [] }, 'scenarios: Too small: expected array to have >=1 items'],
    [{ name: 'x', scenarios: [hi], schema: 1 }, 'Unrecognized key: "schema"'],
    [
      { name: 'x', scenarios: [hi, { ...hi, name: 'Refund', checks: [{ kind: 'regex', pattern: '(' }] }] },
      'scenarios[1] "Refund": checks[0].pattern: error parsing regexp: missing closing ): `(?s)(`',
    ],
    [
      { name: 'x', scenarios: [{ ...hi, checks: [{ kind: 'has', text: 'x' }] }] },
      'scenarios[0] "Hi": checks[0].kind: kind must be one of contains, regex, json_schema, tool_call, guardrail, leak, latency, cost',
    ],
    [
      { name: 'x', checks: [{ kind: 'json_schema', schema: { pattern: '(?=a)' } }], scenarios: [hi] },
      'checks[0].schema: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    [{ name: 'x', scenarios: [hi, hi] }, 'scenarios[1] "Hi": name: is the name of an earlier scenario, too'],
    [
      { name: 'x', scenarios: [{ ...hi, openingMessages: ['x'] }] },
      'scenarios[0] "Hi": openingMessages: a script has all messages; leave one of the two out',
    ],
    [
      { name: 'x', scenarios: [{ name: 'Hi' }] },
      'scenarios[0] "Hi": has no messages: give a script, openingMessages, or a persona',
    ],
    [
      { name: 'x', checks: [{ kind: 'guardrail' }], scenarios: [hi] },
      'checks[0]: give either name, a guardrail of the project, or detect',
    ],
    [
      { name: 'x', scenarios: [{ ...hi, checks: [{ kind: 'tool_call', tool: 'book' }] }] },
      'scenarios[0] "Hi": checks[0]: tool_call would have to hold after each turn; name the turn, or put it under criteria, where it holds for the conversation',
    ],
    [
      { name: 'x', scenarios: [{ name: 'Hi', script: [7] }] },
      'scenarios[0] "Hi": script[0]: must be a text, or an object with user and checks',
    ],
    [
      {
        name: 'x',
        repetitions: 100,
        scenarios: Array.from({ length: 101 }, (_, i) => ({ ...hi, name: `${i}` })),
      },
      'scenarios times repetitions are 10,100 conversations; at most 10,000 are allowed',
    ],
    [
      {
        name: 'x',
        checks: [{ kind: 'regex', pattern: LARGE }],
        criteria: [{ kind: 'json_schema', schema: { items: { pattern: LARGE } } }],
        scenarios: Array.from({ length: 50 }, (_, i) => ({
          name: `${i}`,
          script: [
            { user: 'Hi', checks: [{ kind: 'guardrail', detect: 'regex', config: { pattern: LARGE } }] },
          ],
        })),
      },
      'the patterns of the suite are too large together: with their repetitions written out they have 103,896 parts, of 100,000 at most; make them simpler, or make several suites',
    ],
  ];
  for (const [given, message] of CASES) test(message, () => expect(problemOf(given)).toBe(message));
});

test('the ready suites can be read, and are the same as YAML', () => {
  for (const suite of Object.values(READY_SUITES)) {
    expect(readSuite(suite)).toEqual(suite);
    expect(readSuite(Bun.YAML.parse(Bun.YAML.stringify(suite, null, 2)))).toEqual(suite);
  }
});
