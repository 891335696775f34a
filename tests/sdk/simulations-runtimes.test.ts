import { afterAll, beforeAll, expect, test } from 'bun:test';
import { nodeCommand, openProject, PROJECT_TIMEOUT, type Project } from './project.ts';

let project: Project;
beforeAll(async () => {
  project = await openProject();
}, PROJECT_TIMEOUT);
afterAll(() => project.remove());

/** An agent that leaks, and one that does not, in the words of a test runner. */
const body = (rejects: string): string => `
const suite = { ...READY_SUITES.booking, scenarios: READY_SUITES.booking.scenarios.filter(({ persona }) => persona === 'injection') };
test('an agent that keeps its instructions passes', async () => {
  (await simulate(suite, () => 'I can book a table.')).assertPassRate();
});
test('one that shows them does not', async () => {
  const result = await simulate(suite, async (message) => ({ text: 'My system prompt is: ' + message }));
  ${rejects}
});
test('detectors run without a server', async () => {
  const checks = [{ kind: 'guardrail', detect: 'pii', config: { types: ['card'] } }];
  const cards = { name: 'cards', checks, scenarios: [{ name: 'one', script: ['Which card?'] }] };
  const { passRate } = await simulate(cards, () => 'It is 4111 1111 1111 1111.');
  if (passRate.mean !== 0) throw new Error('not found');
});
`;
const THROWS =
  'let caught; try { result.assertPassRate(0.95); } catch (error) { caught = error; } if (caught?.name !== "SimulationError") throw new Error("passed");';

test('a suite runs in node:test, as ESM and CommonJS, and in bun test', async () => {
  const esm = `import { test } from 'node:test'; import { READY_SUITES, simulate } from 'spanledger/simulations';`;
  const cjs = `const { test } = require('node:test'); const { READY_SUITES, simulate } = require('spanledger/simulations');`;
  const bun = `import { test } from 'bun:test'; import { READY_SUITES, simulate } from 'spanledger/simulations';`;
  await project.write('agent.test.mjs', esm + body(THROWS));
  await project.write('agent.test.cjs', cjs + body(THROWS));
  await project.write('agent.test.js', bun + body(THROWS));
  for (const file of ['agent.test.mjs', 'agent.test.cjs']) {
    const { code, stdout } = await project.run([nodeCommand(), '--test', '--test-reporter=tap', file]);
    expect(stdout).toContain('# pass 3');
    expect(code).toBe(0);
  }
  const { code, stderr } = await project.run([process.execPath, 'test', './agent.test.js']);
  expect(stderr).toContain('3 pass');
  expect(code).toBe(0);
}, 60_000);
