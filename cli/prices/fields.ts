import type { PriceRow } from '../../src/core/pricing/contract.ts';
import type { Cell } from '../format.ts';
import type { Column } from '../output.ts';

/** An amount in USD; a dash if there is none. */
export const rateCell = (value: number | undefined): Cell => ({
  text: value === undefined ? '–' : `$${value}`,
  align: 'right',
  ...(value === undefined ? { tone: 'dim' } : {}),
});

const validity = ({ effectiveFrom, effectiveUntil }: PriceRow): string => {
  const day = (iso: string | null): string => iso?.replace('T00:00:00.000Z', '').slice(0, 16) ?? '';
  if (effectiveFrom === null && effectiveUntil === null) return 'always';
  return `${day(effectiveFrom)} … ${day(effectiveUntil)}`.trim();
};

const nameOf = ({ provider, match, model, serviceTier }: PriceRow): string =>
  `${provider ?? '*'}/${model}${match === 'prefix' ? '*' : ''}${serviceTier === null ? '' : ` (${serviceTier})`}`;

/** One price per row: US dollars per million tokens. */
export const priceColumns: readonly Column<PriceRow>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'model', value: nameOf },
  { header: 'input', value: ({ rates }) => rateCell(rates.input) },
  { header: 'read', value: ({ rates }) => rateCell(rates.cacheRead) },
  { header: 'output', value: ({ rates }) => rateCell(rates.output) },
  { header: 'request', value: ({ rates }) => rateCell(rates.perRequest) },
  { header: 'valid', value: validity },
];

/** The option that names an organization. */
export const orgOption = {
  org: { value: 'ORG', summary: 'Id or name; optional if there is only one' },
} as const;

/** Rates with an option of their own in `prices set`; others are given by `--rate`. */
export const OWN_OPTIONS: ReadonlySet<string> = new Set([
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'output',
  'reasoning',
  'perRequest',
]);
