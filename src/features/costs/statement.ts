import { queryMetrics } from '../../core/events/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';

/** A UTC day, as days since the epoch. */
export type StatementInput = { readonly day: number };

/** One line of a day's statement; amounts are nano-dollars, so that they add up to the last digit. */
export type StatementLine = {
  readonly provider: string | null;
  readonly model: string;
  readonly environment: string | null;
  readonly calls: number;
  readonly unpriced: number;
  readonly freshTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly amountNano: number;
};
export type Statement = {
  readonly day: string;
  readonly lines: readonly StatementLine[];
  /** The day's total, asked for by itself, and whether the lines add up to it. */
  readonly totalNano: number;
  readonly addsUp: boolean;
  readonly calls: number;
  readonly unpriced: number;
};

const TOKENS = ['freshTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens'] as const;
const nanoOf = (usd: number): number => Math.round(usd * 1e9);

/** A day's statement: what each model cost in each environment, and the total that it adds up to. */
export const statementRead: ReadOp<StatementInput, Statement> = {
  name: 'costs.statement',
  run(reader, { day }) {
    const window = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
    const measures = ['cost', 'requests', 'unpriced', ...TOKENS] as const;
    const rows = queryMetrics(reader, { measures, groupBy: ['provider', 'model', 'environment'], window });
    const [total] = queryMetrics(reader, { measures: ['cost', 'requests', 'unpriced'], window });
    const lines = rows
      .map((row) => ({
        provider: row.provider,
        model: row.model ?? 'unknown',
        environment: row.environment,
        calls: row.requests,
        unpriced: row.unpriced,
        freshTokens: row.freshTokens,
        cacheReadTokens: row.cacheReadTokens,
        cacheWriteTokens: row.cacheWriteTokens,
        outputTokens: row.outputTokens,
        amountNano: nanoOf(row.cost),
      }))
      .sort((a, b) => b.amountNano - a.amountNano || b.calls - a.calls);
    const totalNano = nanoOf(total?.cost ?? 0);
    return {
      day: formatInstant(window.from).slice(0, 10),
      lines,
      totalNano,
      addsUp: lines.reduce((sum, line) => sum + line.amountNano, 0) === totalNano,
      calls: total?.requests ?? 0,
      unpriced: total?.unpriced ?? 0,
    };
  },
};
