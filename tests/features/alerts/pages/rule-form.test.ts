import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formOf,
  newForm,
  type RuleForm,
  readForm,
  suggestName,
} from '../../../../src/features/alerts/pages/rule-form.ts';
import {
  ALERT_DIMENSIONS,
  ALERT_MEASURES,
  ALERT_WINDOWS,
  alertInput,
  CALL_MEASURES,
  COMPARISONS,
  DIRECTIONS,
  NO_DATA,
  OPERATORS,
  SENSITIVITIES,
} from '../../../../src/features/alerts/rule/contract.ts';

const cents = (most: number) => fc.integer({ min: 1, max: most * 100 }).map((value) => value / 100);
const condition = fc.oneof(
  fc.record({
    kind: fc.constant('threshold' as const),
    operator: fc.constantFrom(...OPERATORS),
    critical: fc.oneof(cents(1), fc.integer({ min: 0, max: 1 })),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    direction: fc.constantFrom(...DIRECTIONS),
    percent: cents(1_000),
    compare: fc.constantFrom(...COMPARISONS),
  }),
  fc.record({ kind: fc.constant('anomaly' as const), sensitivity: fc.constantFrom(...SENSITIVITIES) }),
);
const rules = fc.record({
  name: fc.constant('a rule'),
  enabled: fc.boolean(),
  measure: fc.constantFrom(...CALL_MEASURES),
  filters: fc.record(
    {
      environment: fc.constantFrom('production', 'staging'),
      filter: fc.constantFrom('model:gpt-*', '-user:test latency>2s'),
      agent: fc.constant('planner'),
      keyId: fc.constant('key_1'),
    },
    { requiredKeys: [] },
  ),
  groupBy: fc.constantFrom(null, ...ALERT_DIMENSIONS, 'tag:team' as const),
  window: fc.constantFrom(...ALERT_WINDOWS),
  condition,
  minRequests: fc.nat({ max: 1e9 }),
  forMinutes: fc.nat({ max: 1_440 }),
  noData: fc.constantFrom(...NO_DATA),
  renotifyMinutes: fc.option(fc.integer({ min: 5, max: 10_080 })),
  channelIds: fc.uniqueArray(fc.constantFrom('chn_1', 'chn_2')),
  opensIncident: fc.boolean(),
});

describe('the form of a rule', () => {
  test('reads back what the API gave, in units of the API', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        const parsed = alertInput.parse(rule);
        expect(readForm(formOf(parsed)).rule).toEqual(parsed);
      }),
    );
  });

  test('shows fractions as percent without the error of floating point', () => {
    const rule = alertInput.parse({
      name: 'x',
      measure: 'errorRate',
      window: '5m',
      condition: { kind: 'threshold', operator: 'gt', warning: 0.07, critical: 0.29 },
    });
    expect(formOf(rule)).toMatchObject({ warning: '7', critical: '29' });
  });

  test('a new one is a valid rule for each measure', () => {
    for (const measure of ALERT_MEASURES) {
      const form = newForm({ measure });
      const { rule } = readForm(form);
      expect([measure, alertInput.safeParse({ ...rule, name: suggestName(form) }).success]).toEqual([
        measure,
        true,
      ]);
    }
  });

  const wrong: [keyof RuleForm, Partial<RuleForm>][] = [
    ['critical', { critical: '' }],
    ['critical', { critical: '5 percent' }],
    ['critical', { critical: 'Infinity' }],
    ['warning', { warning: 'x' }],
    ['percent', { kind: 'change', percent: '0' }],
    ['percent', { kind: 'change', percent: '-' }],
    ['tag', { groupBy: 'tag', tag: ' ' }],
    ['minRequests', { minRequests: '1.5' }],
    ['forMinutes', { forMinutes: '' }],
    ['renotifyMinutes', { renotifyMinutes: '-1' }],
  ];
  test.each(wrong)('names %s as the field that is half written: %j', (field, patch) => {
    expect(readForm(newForm(patch))).toMatchObject({ rule: null, problem: { field } });
  });

  test('is not held up by fields of another kind of condition', () => {
    expect(readForm(newForm({ kind: 'anomaly', critical: '', percent: '' })).problem).toBeNull();
  });

  test('suggests a name', () => {
    expect(suggestName(newForm({ measure: 'cost', groupBy: 'tag', tag: 'team' }))).toBe('Cost by team');
    expect(suggestName(newForm({ environment: 'staging' }))).toBe('Error rate in staging');
  });
});
