import { z } from 'zod';

const value = z.number().nullable();
/** How much of a cost is known. */
const counts = {
  unpriced: z
    .int()
    .optional()
    .describe(
      'Calls without a known price, which no cost includes: with some of them, `cost` is a minimum. Counted as `GET /v1/costs` does. Present with `cost` or `costAvg`.',
    ),
  calls: z
    .int()
    .optional()
    .describe('All calls, of which `unpriced` are some. Present with `cost` or `costAvg`.'),
};
const figures = {
  ...counts,
  values: z
    .record(z.string(), value)
    .describe('Each measure by name; null if no call tells it, which is not 0.'),
  series: z
    .record(z.string(), z.array(value))
    .optional()
    .describe('Each measure in each step; present with `bucket`.'),
};
/** Figures, and those of the previous period. */
export const compared = {
  ...figures,
  previous: z
    .object(figures)
    .optional()
    .describe(
      'The same of the previous period; present with `compare`. Its steps are as far from its start.',
    ),
};

const values = figures.values;
const side = z.object({
  value: z
    .string()
    .nullable()
    .describe('Value of the dimension; null for calls without one, and for others.'),
  others: z.int().nullable().describe('Number of values that this stands for; null for a value of its own.'),
  values,
  ...counts,
});

export const histogramSchema = z.object({
  exact: z
    .boolean()
    .describe(
      'True up to 100,000 calls, which are counted one by one. Else counts come from roll-ups, where a call whose time is within 1 % of a bound may be in the neighbouring bin.',
    ),
  bounds: z
    .array(z.number())
    .describe(
      'Bounds of the bins in milliseconds, ascending: bin `i` holds times from `bounds[i]` to below `bounds[i + 1]`. Bins are 0 to 1 ms, then ten for each power of ten (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8), from the first to the last with calls; at most 101.',
    ),
  counts: z.array(z.int()).describe('Calls in each bin.'),
  series: z.array(z.array(z.int())).optional().describe('The counts of each step; present with `bucket`.'),
});

export const matrixSchema = z.object({
  rows: z.array(side).describe('Values of the first dimension with their totals; others come last.'),
  columns: z.array(side).describe('Values of the second dimension with their totals; others come last.'),
  cells: z
    .array(z.array(values))
    .describe('Values of the calls of each row and column; all null where there are no calls.'),
  unpriced: z
    .array(z.array(z.int()))
    .optional()
    .describe('Calls without a known price of each row and column. Present with `cost` or `costAvg`.'),
});
