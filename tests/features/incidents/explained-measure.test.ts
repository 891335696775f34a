import { expect, test } from 'bun:test';
import { SUM_MEASURES } from '../../../src/core/events/index.ts';
import { ROOT_CAUSE_MEASURES } from '../../../src/core/root-cause/contract.ts';
import { explainedMeasure } from '../../../src/features/incidents/root-cause-of.ts';

test('a measure that can be explained explains itself', () => {
  for (const measure of ROOT_CAUSE_MEASURES) expect(explainedMeasure(measure)).toBe(measure);
});

test.each([
  ['costAvg', 'cost'],
  ['runCostPerSuccess', 'cost'],
  ['runErrorRate', 'errorRate'],
  ['failedRuns', 'errors'],
  ['runLatencyP95', 'latencyAvg'],
  ['rateLimitedRate', 'rateLimited'],
  ['reasoningTokens', 'outputTokens'],
  ['cacheReadTokens', 'cacheRate'],
  ['ttftP90', 'ttftP95'],
  ['score:tone', 'score:tone'],
  ['scoreCount:latency', 'scoreCount:latency'],
  [null, 'errorRate'],
] as const)('%s is explained by %s of the same calls', (measure, explained) => {
  expect(explainedMeasure(measure)).toBe(explained);
});

test('no measure of calls but those of guardrails is explained by the error rate for want of a nearer one', () => {
  const far = Object.keys(SUM_MEASURES).filter((measure) => {
    return explainedMeasure(measure) === 'errorRate' && measure !== 'errorRate';
  });
  expect(far.filter((measure) => !measure.startsWith('guardrail'))).toEqual([]);
});
