const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 has no control characters but tab and line breaks. */
const xml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => NAMED[character] ?? character);

/** A test of a report. `failure`: null if it passed. */
export type JunitCase = { readonly group: string; readonly name: string; readonly failure: string | null };

const testCase = ({ group, name, failure }: JunitCase): string => {
  const head = `    <testcase classname="${xml(group)}" name="${xml(name)}"`;
  return failure === null
    ? `${head}/>`
    : `${head}>\n      <failure message="${xml(failure)}"/>\n    </testcase>`;
};

/** A report in the format of JUnit. */
export function junitReport(suite: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const counts = `tests="${cases.length}" failures="${failures}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="${xml(suite)}" ${counts}>
${cases.map(testCase).join('\n')}
  </testsuite>
</testsuites>
`;
}
