import { expect, test } from 'bun:test';
import { checkFocus, checkHeader, type Row, UNPRICED_DEVIATIONS } from './check-focus.ts';

const GOOD: Row = {
  BilledCost: '0.0123',
  BillingAccountId: 'o-1',
  BillingAccountName: 'Acme',
  BillingCurrency: 'USD',
  BillingPeriodEnd: '2026-07-01T00:00:00Z',
  BillingPeriodStart: '2026-06-01T00:00:00Z',
  ChargeCategory: 'Usage',
  ChargeClass: null,
  ChargeDescription: 'gpt-4o: Output',
  ChargeFrequency: 'Usage-Based',
  ChargePeriodEnd: '2026-06-03T00:00:00Z',
  ChargePeriodStart: '2026-06-02T00:00:00Z',
  ConsumedQuantity: '1230',
  ConsumedUnit: 'Tokens',
  ContractedCost: '0.0123',
  ContractedUnitPrice: '10',
  EffectiveCost: '0.0123',
  HostProviderName: 'OpenAI',
  InvoiceId: null,
  InvoiceIssuerName: 'OpenAI',
  ListCost: '0.0123',
  ListUnitPrice: '10',
  PricingCategory: 'Standard',
  PricingQuantity: '0.00123',
  PricingUnit: '1000000 Tokens',
  ProviderName: 'OpenAI',
  PublisherName: 'OpenAI',
  ServiceCategory: 'AI and Machine Learning',
  ServiceName: 'OpenAI API',
  ServiceProviderName: 'OpenAI',
  ServiceSubcategory: 'Generative AI',
  SkuId: 'openai/gpt-4o/output',
  SkuMeter: 'Output',
  SkuPriceDetails: '{"x_Model":"gpt-4o"}',
  SkuPriceId: 'openai/gpt-4o/output',
  SubAccountId: 'p-1',
  SubAccountName: 'Bot',
  Tags: '{"team":"a"}',
};

test('a row as the specification wants it has no fault', () => {
  expect(checkHeader(Object.keys(GOOD))).toEqual([]);
  expect(checkFocus([GOOD])).toEqual([]);
});

test.each([
  [{ BilledCost: null }, 'BilledCost must not be null'],
  [{ BilledCost: '+1' }, 'BilledCost is no number'],
  [{ BilledCost: '1,000' }, 'BilledCost is no number'],
  [{ ChargePeriodStart: '2026-06-02' }, 'ChargePeriodStart is no date/time'],
  [{ ChargeCategory: 'Refund' }, 'ChargeCategory has no allowed value'],
  [{ Tags: '["a"]' }, 'Tags is no key-value object'],
  [{ Tags: '{"a":{}}' }, 'Tags is no key-value object'],
  [{ SkuPriceId: null }, UNPRICED_DEVIATIONS[0] ?? ''],
  [{ ListCost: '0.02' }, 'ListCost must be ListUnitPrice × PricingQuantity'],
  [{ PricingUnit: 'million tokens' }, 'PricingUnit is no unit'],
  [{ ConsumedUnit: null }, 'ConsumedUnit goes with ConsumedQuantity'],
  [{ ChargeClass: 'Correction' }, 'a correction must be of an earlier billing period'],
  [{ ChargePeriodStart: '2026-05-02T00:00:00Z' }, 'a charge outside the billing period must be a correction'],
  [{ HostProviderName: 'Not Applicable' }, 'HostProviderName has a placeholder'],
  [{ BillingCurrency: 'Dollar' }, 'BillingCurrency is no ISO 4217 code'],
] as const)('the checker finds %j', (change, rule) => {
  expect(checkFocus([{ ...GOOD, ...change }]).map((fault) => fault.rule)).toContain(rule);
});

test('the checker finds columns that are missing, unknown, or in the wrong order, and two parents', () => {
  const names = Object.keys(GOOD);
  expect(checkHeader(names.slice(1))).toEqual(['BilledCost is missing']);
  expect(checkHeader([...names, 'Region'])).toEqual(['Region is no column']);
  expect(checkHeader(['x_Model', ...names])).toEqual(['custom columns first']);
  expect(checkFocus([GOOD, { ...GOOD, SkuId: 'other' }])).toEqual([
    { row: 1, rule: 'SkuPriceId has two SkuId' },
  ]);
});
