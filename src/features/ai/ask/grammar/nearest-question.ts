import type { Reading, ReadQuestion } from '../question.ts';
import { readQuestion } from './read-question.ts';
import { plainText } from './rest.ts';

/** Without these a question asks the opposite. */
const TURNING = /^(?:not|no|none|never|nothing|without|except|excluding|exclude|minus|\w+n't)$/;
/** Goes with the word after it. */
const LEADING = /^(?:a|an|the|of|for|in|on|at|to|from|by|per|with|within|during|over|across|among)$/;
/** A word before may be left without its noun, and so may the one before that. */
const TRIES = 3;

/**
 * The question without the words that were not understood, if the rules can read that. Null if it cannot be answered
 * without them either, or would ask the opposite.
 */
export function nearestQuestion(question: string, read: ReadQuestion, reading: Reading): string | null {
  let text = plainText(question);
  let { left } = read;
  for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
    if (left.some((word) => TURNING.test(word))) return null;
    const words = new Set(left);
    text = without(text.split(' '), words)
      .join(' ')
      .replaceAll(/^(?:, |and |or )+|(?: ,| and| or)+$/g, '');
    if (text === '') return null;
    const again = readQuestion(text, reading);
    if (again.meaning !== null) return text;
    ({ left } = again);
  }
  return null;
}

/** Words less some of them, and what leads to each of these. */
function without(all: readonly string[], words: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (const word of all)
    if (!words.has(word)) kept.push(word);
    else while (LEADING.test(kept.at(-1) ?? '')) kept.pop();
  return kept;
}
