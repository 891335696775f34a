import type { ExperimentDetail, ExperimentRun } from '../../src/features/experiments/contract.ts';
import type { Judged } from './fail-if.ts';

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 has no control characters but tab and line breaks. */
const xml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => NAMED[character] ?? character);

const testCase = (group: string, name: string, failure: string | null): string => {
  const head = `    <testcase classname="${xml(group)}" name="${xml(name)}"`;
  return failure === null
    ? `${head}/>`
    : `${head}>\n      <failure message="${xml(failure)}"/>\n    </testcase>`;
};

/** A report in the format of JUnit: a test for each threshold and for each failed item. */
export function toJunit(
  { name, runs }: Pick<ExperimentDetail, 'name' | 'runs'>,
  thresholds: readonly Judged[],
  failed: readonly ExperimentRun[],
): string {
  const cases = [
    ...thresholds.map(({ text, hasFailed, found }) => testCase('thresholds', text, hasFailed ? found : null)),
    ...failed.map(({ itemId, repetition, error }) =>
      testCase('items', `${itemId} (${repetition})`, error ?? 'failed'),
    ),
    testCase('items', `${runs.done} items ran`, null),
  ];
  const failures = thresholds.filter(({ hasFailed }) => hasFailed).length + failed.length;
  const counts = `tests="${cases.length}" failures="${failures}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="${xml(name)}" ${counts}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}
