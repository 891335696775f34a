import { HOUR_MS } from '../../../../lib/time.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../../contract.ts';
import type { EventRow } from '../clickhouse/rows/to-row.ts';
import { readOp } from '../sqlite/read-op.ts';
import { openStoredSegment } from '../sqlite/scan/open-chunks.ts';
import { gather } from '../sqlite/segments/gather.ts';
import { segmentsOf } from '../sqlite/segments/stored-segments.ts';
import { ROLLUP_DIMENSIONS, ROLLUP_SUMS } from '../sqlite/sums/rollup-sums.ts';
import { sumDeltasOf } from '../sqlite/sums/sum-deltas.ts';

type RollupSum = (typeof ROLLUP_SUMS)[number];

/** Sums of the calls of an hour that are alike. */
export type Cell = {
  readonly hour: number;
  readonly dimensions: readonly (number | string)[];
  readonly sums: Readonly<Record<RollupSum, number>>;
};

/**
 * Rows of figures for the calls of a day whose events are gone: their sums by hour, model, environment, status and error
 * code are those of the file. What else the events said is not known any more.
 */
export const keptCellsRead = readOp(
  'move-kept',
  (
    reader,
    {
      project,
      day,
      segments,
    }: { readonly project: number; readonly day: number; readonly segments: readonly number[] },
  ): Cell[] => {
    const left = new Map<string, number[]>();
    for (const segment of segmentsOf(reader, project, segments)) {
      const chunk = openStoredSegment(reader, segment);
      for (const { hour, dimensions, sums } of sumDeltasOf(gather([chunk], [chunk.present()])).hours) {
        const key = JSON.stringify([hour, ...dimensions]);
        const known = left.get(key);
        left.set(
          key,
          sums.map((sum, i) => sum + (known?.[i] ?? 0)),
        );
      }
    }
    const rows = reader.rows(
      `SELECT hour, ${ROLLUP_DIMENSIONS.join(', ')}, ${ROLLUP_SUMS.join(', ')} FROM rollup_hours
       WHERE project = ? AND hour >= ? AND hour < ?`,
      [project, day * 24, (day + 1) * 24],
    );
    return rows.flatMap(([hour, ...values]) => {
      const dimensions = values
        .slice(0, ROLLUP_DIMENSIONS.length)
        .map((value, i) => (i < 3 ? Number(value) : String(value)));
      const rest = left.get(JSON.stringify([Number(hour), ...dimensions]));
      const sums = values.slice(ROLLUP_DIMENSIONS.length).map((value, i) => Number(value) - (rest?.[i] ?? 0));
      const named = Object.fromEntries(ROLLUP_SUMS.map((name, i) => [name, sums[i] ?? 0]));
      const isCounted = dimensions[1] === 1 || EVENT_KINDS[Number(dimensions[0])] === 'guardrail';
      return named.requests === undefined || named.requests <= 0 || !isCounted
        ? []
        : [{ hour: Number(hour), dimensions, sums: named as Cell['sums'] }];
    });
  },
);

/** The rows of some cells. */
export function* rowsOfCells(project: number, cells: readonly Cell[]): Generator<EventRow> {
  for (const cell of cells) yield* rowsOf(project, cell);
}

export const countOfCells = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { sums }) => sum + sums.requests, 0);

const UNPRICED = COST_STATUSES[COST_STATUSES.indexOf('unpriced')] ?? 'unpriced';

function* rowsOf(project: number, { hour, dimensions, sums }: Cell): Generator<EventRow> {
  const [kind, isCall, status, provider, model, environment, errorCode] = dimensions;
  const count = sums.requests;
  const cells = spread(sums);
  for (let place = 0; place < count; place++) {
    const isUnpriced = place < sums.unpriced;
    const own = cells(place);
    yield {
      project,
      ts: hour * HOUR_MS,
      event_id: crypto.randomUUID(),
      received_at: hour * HOUR_MS,
      trace_id: '',
      span_id: '',
      kind: EVENT_KINDS[Number(kind)] ?? 'span',
      is_call: Number(isCall),
      status: EVENT_STATUSES[Number(status)] ?? 'error',
      stream: own.ttft_us === null ? 0 : 1,
      provider: textOrNull(provider),
      model: textOrNull(model),
      operation: '',
      environment: String(environment),
      error_code: textOrNull(errorCode),
      latency_ms: own.latency_us === null ? null : own.latency_us / 1_000,
      ttft_ms: own.ttft_us === null ? null : own.ttft_us / 1_000,
      input_tokens: own.fresh + own.cacheRead + own.cacheWrite,
      output_tokens: own.output,
      bucket_fresh: own.fresh,
      bucket_cache_read: own.cacheRead,
      bucket_cache_write_5m: own.cacheWrite,
      bucket_cache_write_1h: 0,
      bucket_output: own.output - own.reasoning,
      bucket_reasoning: own.reasoning,
      cost_nano: isCall === 1 ? (isUnpriced ? null : own.cost) : null,
      cost_status: isCall === 1 ? (isUnpriced ? UNPRICED : 'priced') : null,
      price: '',
      tags: {},
      tags_json: '',
      metadata: '',
      usage: '',
      input: '',
      output: '',
      is_kept: 1,
      link: 'null',
    };
  }
}

const textOrNull = (value: string | number | undefined): string | null =>
  value === '' ? null : String(value);

/** The part of a sum that one of some places has: whole numbers that add up to it. */
const part = (sum: number, places: number, place: number): number =>
  place < 0 || place >= places ? 0 : Math.floor(sum / places) + Number(place < sum % places);

/** Divides the sums of a cell among its calls. The first ones have no price. */
function spread(sums: Cell['sums']) {
  const { requests: count, unpriced } = sums;
  const tokens = shares(sums);
  return (place: number) => {
    const isUnpriced = place < unpriced;
    const [of, own, at] = isUnpriced
      ? [tokens.unpriced, unpriced, place]
      : [tokens.priced, count - unpriced, place - unpriced];
    return {
      fresh: part(of.fresh, own, at),
      cacheRead: part(of.cacheRead, own, at),
      cacheWrite: part(of.cacheWrite, own, at),
      output: part(of.reasoning, own, at) + part(of.output - of.reasoning, own, at),
      reasoning: part(of.reasoning, own, at),
      cost: part(sums.cost_nano, count - unpriced, place - unpriced),
      latency_us: place < sums.latency_count ? part(sums.latency_us, sums.latency_count, place) : null,
      ttft_us: place < sums.ttft_count ? part(sums.ttft_us, sums.ttft_count, place) : null,
    };
  };
}

type Tokens = Readonly<Record<'fresh' | 'cacheRead' | 'cacheWrite' | 'output' | 'reasoning', number>>;

/** Which tokens are of calls without a price, as far as the sums tell it: their inputs and outputs. */
function shares(sums: Cell['sums']): { readonly unpriced: Tokens; readonly priced: Tokens } {
  const all: Tokens = {
    fresh: sums.fresh_tokens,
    cacheRead: sums.cache_read_tokens,
    cacheWrite: sums.cache_write_tokens,
    output: sums.output_tokens,
    reasoning: sums.reasoning_tokens,
  };
  if (sums.unpriced === sums.requests) return { unpriced: all, priced: NO_TOKENS };
  const fresh = Math.min(all.fresh, sums.unpriced_input_tokens);
  const cacheRead = Math.min(all.cacheRead, sums.unpriced_input_tokens - fresh);
  const cacheWrite = sums.unpriced_input_tokens - fresh - cacheRead;
  const output = sums.unpriced_output_tokens;
  const plain = all.output - all.reasoning;
  const reasoning = Math.max(0, output - plain);
  const unpriced: Tokens = { fresh, cacheRead, cacheWrite, output, reasoning };
  return {
    unpriced,
    priced: {
      fresh: all.fresh - fresh,
      cacheRead: all.cacheRead - cacheRead,
      cacheWrite: all.cacheWrite - cacheWrite,
      output: all.output - output,
      reasoning: all.reasoning - reasoning,
    },
  };
}

const NO_TOKENS: Tokens = { fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
