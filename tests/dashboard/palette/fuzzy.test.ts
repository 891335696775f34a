import { expect, test } from 'bun:test';
import { fuzzyScore } from '../../../src/dashboard/shell/palette/fuzzy.ts';

const best = (typed: string, texts: readonly string[]): string[] =>
  texts
    .map((text) => ({ text, score: fuzzyScore(typed, text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);

test.each([
  ['cost', ['Low costs', 'Costs', 'Total cost per call'], ['Costs', 'Low costs', 'Total cost per call']],
  ['key create', ['Create API key', 'API keys'], ['Create API key']],
  ['apk', ['API keys', 'Access tokens', 'Overview'], ['API keys']],
  ['traces', ['Traces', 'Traces of today'], ['Traces', 'Traces of today']],
  ['zzz', ['Traces'], []],
  // Letters far apart mean nothing.
  ['aee', ['a very long text that has each letter somewhere else'], []],
  ['', ['Anything'], ['Anything']],
])('%s finds the closest first', (typed, texts, expected) => {
  expect(best(typed, texts)).toEqual(expected);
});
