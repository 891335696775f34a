import { z } from 'zod';
import { defineEndpoint, organizationParams } from '../../../core/tenancy/contract.ts';

/** The version of the specification that the files follow. */
export const FOCUS_VERSION = '1.3';

/** The formats of the files. */
export const FOCUS_FORMATS = ['csv', 'parquet'] as const;
export type FocusFormat = (typeof FOCUS_FORMATS)[number];

const MONTH = /^(20\d{2})-(0[1-9]|1[0-2])$/;

/** A UTC month such as `2026-10`, its start in epoch milliseconds when read; null if it is none. */
export function parseMonth(text: string): number | null {
  const [, year, month] = MONTH.exec(text) ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, 1);
}

const monthParam = z.string().transform((text, ctx) => {
  const start = parseMonth(text);
  if (start !== null) return start;
  ctx.addIssue({ code: 'custom', message: 'must be a UTC month like 2026-10' });
  return z.NEVER;
});

export const focusEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/focus',
  auth: 'organization',
  summary: `A month's costs as a FOCUS ${FOCUS_VERSION} dataset, as CSV or Parquet`,
  description:
    `The Cost and Usage dataset of the FinOps Open Cost and Usage Specification ${FOCUS_VERSION}: a row for each project, UTC day, ` +
    'model, bucket, price and combination of tags. The sum of `BilledCost` is the stored cost of the month to the ' +
    'nano-dollar. In CSV, decimals are exact and null is an empty cell; in Parquet, decimals are DECIMAL(38, 18), dates ' +
    'TIMESTAMP in UTC milliseconds, and `Tags` and `SkuPriceDetails` JSON texts. [The columns](/docs/focus) are described ' +
    'with every deviation from the specification.',
  params: organizationParams,
  query: z.object({
    month: monthParam.meta({ description: 'Month in UTC, `YYYY-MM`.', example: '2026-10' }),
    format: z.enum(FOCUS_FORMATS).default('csv').describe('Format of the file. Default: `csv`.'),
  }),
});
