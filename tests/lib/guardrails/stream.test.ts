import { describe, expect, test } from 'bun:test';
import type { Check } from '../../../src/lib/guardrails/definition.ts';
import { compileGuardrail } from '../../../src/lib/guardrails/run-guardrails.ts';
import { createStreamChecker } from '../../../src/lib/guardrails/stream.ts';

const guardrail = (checks: readonly Check[]) =>
  compileGuardrail({
    name: 'rail',
    version: 1,
    stage: 'output',
    checks,
    failureMode: 'open',
    environments: [],
    sampleRate: 1,
    enabled: true,
  });

/** What goes out of a text in pieces, with `\u0000` for a block. */
function streamed(rail: ReturnType<typeof guardrail>, pieces: readonly string[]): string {
  const checker = createStreamChecker([rail], 'output');
  let out = '';
  for (const piece of pieces) {
    const released = checker.feed(piece);
    if (released === null) return `${out}\u0000`;
    out += released;
  }
  const rest = checker.end();
  return rest === null ? `${out}\u0000` : out + rest;
}

const KEY = `ghp${'_'}${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
const FILLING = 'The reply goes on with some words about nothing in particular. '.repeat(6);
const redact = guardrail([
  { kind: 'pii', config: {}, action: 'redact' },
  { kind: 'secrets', config: {}, action: 'redact' },
]);
const block = guardrail([{ kind: 'secrets', config: {}, action: 'block' }]);

describe('a value is found wherever the pieces of a stream end', () => {
  const values: [type: string, value: string][] = [
    ['EMAIL', 'jane.doe@example.com'],
    ['CARD', '4539 5787 6362 1486'],
    ['IBAN', 'DE89 3704 0044 0532 0130 00'],
    ['GITHUB_TOKEN', KEY],
    ['GITHUB_TOKEN', `${KEY.slice(0, 20)}\n${KEY.slice(20)}`],
    ['EMAIL', '\u{1d5f7}\u{1d5ee}\u{1d5fb}\u{1d5f2}@example.com'],
  ];
  for (const [type, value] of values) {
    test(`${type} ${JSON.stringify(value).slice(0, 24)}`, () => {
      for (const [before, after] of [
        ['', ''],
        ['It is: ', '. Thanks!'],
        [FILLING, `. ${FILLING}`],
      ]) {
        const text = `${before}${value}${after}`;
        const expected = `${before}[${type}]${after}`;
        for (let at = 0; at <= text.length; at++) {
          expect(streamed(redact, [text.slice(0, at), text.slice(at)]), `split at ${at}`).toBe(expected);
        }
        for (const size of [1, 2, 3, 7, 40]) {
          const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
            text.slice(i * size, (i + 1) * size),
          );
          expect(streamed(redact, pieces), `pieces of ${size}`).toBe(expected);
        }
      }
    });
  }

  test('and nothing of a blocked one goes out', () => {
    const text = `${FILLING}${KEY} ${FILLING}`;
    for (let at = 0; at <= text.length; at++) {
      const out = streamed(block, [text.slice(0, at), text.slice(at)]);
      expect(out.endsWith('\u0000'), `split at ${at}`).toBe(true);
      expect(out.includes(KEY.slice(0, 8)), `split at ${at}`).toBe(false);
    }
  });
});
