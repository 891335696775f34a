import { expect, test } from 'bun:test';
import { publishedAccuracies } from '../../../src/lib/detect/accuracy.ts';
import { measureDetectors } from '../../../src/lib/detect/measure.ts';
import { PROVIDER_SECRETS } from '../../../src/lib/detect/secrets/providers.ts';

const accuracies = measureDetectors();
test('the published figures are the measured ones', () => {
  expect(publishedAccuracies()).toEqual(accuracies);
});

const of = (check: string, type?: string) =>
  accuracies.filter((one) => one.check === check && (type === undefined || one.type === type));

test('cards, IBANs, e-mails and keys of providers: precision at least 0.98, recall at least 0.95', () => {
  const keys = of('secrets').filter(({ type }) => PROVIDER_SECRETS.some((form) => form.type === type));
  expect(keys.length).toBeGreaterThanOrEqual(30);
  const measured = [...of('pii', 'card'), ...of('pii', 'iban'), ...of('pii', 'email'), ...keys];
  const low = measured.filter(({ precision, recall }) => (precision ?? 0) < 0.98 || (recall ?? 0) < 0.95);
  expect(low).toEqual([]);
});

test('each type of personal data and of credentials has examples, and most of them are found', () => {
  for (const { type, examples, precision, recall } of [...of('pii'), ...of('secrets'), ...of('urls')]) {
    expect([type, examples > 0, (precision ?? 0) >= 0.9, (recall ?? 0) >= 0.9]).toEqual([
      type,
      true,
      true,
      true,
    ]);
  }
});

test('the heuristics do not become worse than they are', () => {
  const [injection] = of('prompt_injection');
  expect(injection?.precision ?? 0).toBeGreaterThanOrEqual(0.95);
  expect(injection?.recall ?? 0).toBeGreaterThanOrEqual(0.9);
  const languages = of('language');
  const sum = (field: 'found' | 'wrong' | 'missed') => languages.reduce((all, one) => all + one[field], 0);
  expect(sum('wrong')).toBe(0);
  expect(sum('found') / (sum('found') + sum('missed'))).toBeGreaterThanOrEqual(0.8);
});
