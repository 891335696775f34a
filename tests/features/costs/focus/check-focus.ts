/**
 * A checker of the dataset Cost and Usage, written after the text of the FinOps Open Cost and Usage Specification 1.3:
 * its table of columns, the requirements of each column, and the attributes (date/time, numeric, unit, key-value, string
 * and null handling). It knows nothing of the exporter.
 */

/** A row as a CSV has it: null is an empty cell. */
export type Row = Readonly<Record<string, string | null>>;

/** A rule of the specification that a row, or the whole dataset (-1), breaks. */
export type Fault = { readonly row: number; readonly rule: string };

type Level = 'mandatory' | 'conditional' | 'recommended';
type Type = 'String' | 'Decimal' | 'DateTime' | 'JSON';
type Column = { readonly type: Type; readonly level: Level; readonly nulls: boolean };

const column = (type: Type, level: Level, nulls: boolean): Column => ({ type, level, nulls });

/** The columns of version 1.3 that this dataset has or could have, by id. */
const COLUMNS: Readonly<Record<string, Column>> = {
  BilledCost: column('Decimal', 'mandatory', false),
  BillingAccountId: column('String', 'mandatory', false),
  BillingAccountName: column('String', 'mandatory', true),
  BillingCurrency: column('String', 'mandatory', false),
  BillingPeriodEnd: column('DateTime', 'mandatory', false),
  BillingPeriodStart: column('DateTime', 'mandatory', false),
  ChargeCategory: column('String', 'mandatory', false),
  ChargeClass: column('String', 'mandatory', true),
  ChargeDescription: column('String', 'mandatory', true),
  ChargeFrequency: column('String', 'recommended', false),
  ChargePeriodEnd: column('DateTime', 'mandatory', false),
  ChargePeriodStart: column('DateTime', 'mandatory', false),
  ConsumedQuantity: column('Decimal', 'conditional', true),
  ConsumedUnit: column('String', 'conditional', true),
  ContractedCost: column('Decimal', 'mandatory', false),
  ContractedUnitPrice: column('Decimal', 'conditional', true),
  EffectiveCost: column('Decimal', 'mandatory', false),
  HostProviderName: column('String', 'mandatory', false),
  InvoiceId: column('String', 'recommended', true),
  InvoiceIssuerName: column('String', 'mandatory', false),
  ListCost: column('Decimal', 'mandatory', false),
  ListUnitPrice: column('Decimal', 'conditional', true),
  PricingCategory: column('String', 'conditional', true),
  PricingQuantity: column('Decimal', 'mandatory', true),
  PricingUnit: column('String', 'mandatory', true),
  ProviderName: column('String', 'mandatory', false),
  PublisherName: column('String', 'mandatory', false),
  ServiceCategory: column('String', 'mandatory', false),
  ServiceName: column('String', 'mandatory', false),
  ServiceProviderName: column('String', 'mandatory', false),
  ServiceSubcategory: column('String', 'recommended', false),
  SkuId: column('String', 'conditional', true),
  SkuMeter: column('String', 'conditional', true),
  SkuPriceDetails: column('JSON', 'conditional', true),
  SkuPriceId: column('String', 'conditional', true),
  SubAccountId: column('String', 'conditional', true),
  SubAccountName: column('String', 'conditional', true),
  Tags: column('JSON', 'conditional', true),
};

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ChargeCategory: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'],
  ChargeClass: ['Correction'],
  ChargeFrequency: ['One-Time', 'Recurring', 'Usage-Based'],
  PricingCategory: ['Standard', 'Dynamic', 'Committed', 'Other'],
  ServiceSubcategory: [
    'AI Platforms',
    'Bots',
    'Generative AI',
    'Machine Learning',
    'Natural Language Processing',
    'Other (AI and Machine Learning)',
  ],
};
/** The one category of the subcategories above. */
const CATEGORY = 'AI and Machine Learning';

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(E-?\d+)?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
/** `Tokens`, `1000 Tokens`, `GB-Hours`, `GB/Hour`. */
const UNIT = /^([1-9]\d* )?[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)?(\/[A-Z][a-z]*)?$/;
const FOCUS_ID = /^[A-Z][A-Za-z0-9]{0,49}$/;
const CUSTOM_ID = /^x_[A-Z][A-Za-z0-9]{0,47}$/;

/** Names and order: every mandatory and recommended column, FOCUS columns before custom ones. */
export function checkHeader(names: readonly string[]): string[] {
  const faults = Object.entries(COLUMNS)
    .filter(([name, { level }]) => level !== 'conditional' && !names.includes(name))
    .map(([name]) => `${name} is missing`);
  const custom = names.filter((name) => name.startsWith('x_'));
  const known = names.filter((name) => !name.startsWith('x_'));
  faults.push(...known.filter((name) => COLUMNS[name] === undefined).map((name) => `${name} is no column`));
  faults.push(...known.filter((name) => !FOCUS_ID.test(name)).map((name) => `${name} is no column id`));
  faults.push(...custom.filter((name) => !CUSTOM_ID.test(name)).map((name) => `${name} is no custom id`));
  if (names.slice(0, known.length).some((name) => name.startsWith('x_'))) faults.push('custom columns first');
  if (new Set(names).size < names.length) faults.push('a column twice');
  return faults;
}

/** Types, nulls and allowed values of each cell. */
function* checkCells(row: Row): Generator<string> {
  for (const [name, { type, nulls }] of Object.entries(COLUMNS)) {
    const value = row[name] ?? null;
    if (value === null) {
      if (!nulls) yield `${name} must not be null`;
      continue;
    }
    if (value.trim() === '') yield `${name} must not be an empty string`;
    if (['Not Applicable', 'null', 'NULL', 'N/A'].includes(value)) yield `${name} has a placeholder`;
    if (type === 'Decimal' && !NUMBER.test(value)) yield `${name} is no number`;
    if (type === 'DateTime' && (!INSTANT.test(value) || Number.isNaN(Date.parse(value))))
      yield `${name} is no date/time`;
    if (type === 'JSON' && !isKeyValue(value)) yield `${name} is no key-value object`;
    if (ALLOWED[name]?.includes(value) === false) yield `${name} has no allowed value`;
  }
}

function isKeyValue(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => typeof one !== 'object' || one === null)
    );
  } catch {
    return false;
  }
}

const number = (row: Row, name: string): number => Number(row[name]);
/** Whether a product is what the row says, up to what 18 digits after the point cannot hold. */
const isProduct = (row: Row, [cost, price, quantity]: readonly [string, string, string]): boolean => {
  const product = number(row, price) * number(row, quantity);
  return Math.abs(number(row, cost) - product) <= Math.abs(product) * 1e-13 + 1e-15;
};

/** What columns demand of each other in a row. */
function* checkRow(row: Row): Generator<string> {
  const isNull = (name: string): boolean => (row[name] ?? null) === null;
  const isUsage = row.ChargeCategory === 'Usage' || row.ChargeCategory === 'Purchase';
  const isCorrection = row.ChargeClass === 'Correction';
  if (isUsage && !isCorrection)
    for (const name of [
      'SkuId',
      'SkuPriceId',
      'ListUnitPrice',
      'ContractedUnitPrice',
      'PricingQuantity',
      'PricingCategory',
    ])
      if (isNull(name)) yield `${name} must not be null for usage`;
  if (row.ChargeCategory === 'Usage' && !isCorrection && isNull('ConsumedQuantity'))
    yield 'ConsumedQuantity must not be null for usage';
  const ofPrice = [
    'ListUnitPrice',
    'ContractedUnitPrice',
    'PricingQuantity',
    'PricingCategory',
    'ConsumedQuantity',
  ];
  if (isNull('SkuPriceId')) {
    for (const name of [...ofPrice, 'SkuPriceDetails'])
      if (!isNull(name)) yield `${name} must be null without SkuPriceId`;
  } else
    for (const name of ['ListUnitPrice', 'ContractedUnitPrice', 'SkuId'])
      if (isNull(name)) yield `${name} must not be null with SkuPriceId`;
  if (isNull('SkuId') && !isNull('SkuMeter')) yield 'SkuMeter must be null without SkuId';
  if (!isNull('SkuId') && isNull('SkuMeter')) yield 'SkuMeter should not be null with SkuId';
  if (isNull('PricingQuantity') !== isNull('PricingUnit')) yield 'PricingUnit goes with PricingQuantity';
  if (isNull('ConsumedQuantity') !== isNull('ConsumedUnit')) yield 'ConsumedUnit goes with ConsumedQuantity';
  for (const name of ['PricingUnit', 'ConsumedUnit'])
    if (!isNull(name) && !UNIT.test(row[name] ?? '')) yield `${name} is no unit`;
  for (const name of ['ListUnitPrice', 'ContractedUnitPrice'])
    if (!isNull(name) && number(row, name) < 0) yield `${name} must not be negative`;
  for (const [cost, price] of [
    ['ListCost', 'ListUnitPrice'],
    ['ContractedCost', 'ContractedUnitPrice'],
  ] as const) {
    if (isNull(price)) {
      if (number(row, cost) !== number(row, 'BilledCost')) yield `${cost} must be BilledCost without a price`;
    } else if (!isNull('PricingQuantity') && !isProduct(row, [cost, price, 'PricingQuantity']))
      yield `${cost} must be ${price} × PricingQuantity`;
  }
  if (row.ServiceSubcategory !== undefined && row.ServiceCategory !== CATEGORY)
    yield 'ServiceSubcategory has another category';
  if (row.ChargeFrequency === 'Usage-Based' && row.ChargeCategory === 'Purchase')
    yield 'ChargeFrequency of a purchase must not be Usage-Based';
  if (!/^[A-Z]{3}$/.test(row.BillingCurrency ?? '')) yield 'BillingCurrency is no ISO 4217 code';
  yield* checkPeriods(row, isCorrection);
}

function* checkPeriods(row: Row, isCorrection: boolean): Generator<string> {
  const at = (name: string): number => Date.parse(row[name] ?? '');
  if (at('ChargePeriodStart') >= at('ChargePeriodEnd')) yield 'ChargePeriodEnd must follow ChargePeriodStart';
  if (at('BillingPeriodStart') >= at('BillingPeriodEnd'))
    yield 'BillingPeriodEnd must follow BillingPeriodStart';
  const isWithin =
    at('ChargePeriodStart') >= at('BillingPeriodStart') && at('ChargePeriodEnd') <= at('BillingPeriodEnd');
  if (!isCorrection && !isWithin) yield 'a charge outside the billing period must be a correction';
  if (isCorrection && at('ChargePeriodEnd') > at('BillingPeriodStart'))
    yield 'a correction must be of an earlier billing period';
}

/** Columns of which one value has one value of another in the whole dataset. */
const PARENTS = [
  ['SkuPriceId', 'SkuId'],
  ['SkuPriceId', 'SkuPriceDetails'],
  ['SkuId', 'SkuMeter'],
  ['ServiceName', 'ServiceCategory'],
  ['SubAccountId', 'SubAccountName'],
  ['BillingAccountId', 'BillingAccountName'],
] as const;

/** Every fault of a dataset. */
export function checkFocus(rows: readonly Row[]): Fault[] {
  const faults = rows.flatMap((row, i) =>
    [...checkCells(row), ...checkRow(row)].map((rule) => ({ row: i, rule })),
  );
  for (const [child, parent] of PARENTS) {
    const seen = new Map<string, string | null>();
    for (const [i, row] of rows.entries()) {
      const key = row[child] ?? null;
      if (key === null) continue;
      const value = row[parent] ?? null;
      if (seen.has(key) && seen.get(key) !== value)
        faults.push({ row: i, rule: `${child} has two ${parent}` });
      seen.set(key, value);
    }
  }
  return faults;
}

/** What rows without a price by the unit may break, because there is no price to tell: nothing else. */
export const UNPRICED_DEVIATIONS: readonly string[] = [
  'SkuPriceId',
  'ListUnitPrice',
  'ContractedUnitPrice',
  'PricingQuantity',
  'PricingCategory',
  'ConsumedQuantity',
].map((name) => `${name} must not be null for usage`);
