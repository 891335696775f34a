import type { SqlValue } from '../../../../../db/connection.ts';
import { badRequest } from '../../../../../errors.ts';
import { OUTCOME_CODES } from '../../../../../lib/guardrails/outcome-code.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import { areOfGuardrails, type CallTime, type Sum } from '../../../measures.ts';
import type { Dimension } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { namedKey } from '../../shared/metrics/dimensions.ts';
import { addSums, emptySums, type Group, groupId } from '../../shared/metrics/groups.ts';
import type { Engine, EngineRow } from '../engine/engine.ts';
import { int, ints, join, raw, type Sql, sql, text } from '../engine/sql.ts';
import { FAILED, INPUT, inWindow, OUTPUT, selected, UNPRICED, unlessGone } from '../reads/conditions.ts';
import { isRolledUp, outsideOf, readClosedDays, rollupRows } from '../rollups/closed-days.ts';
import type { Calls } from './calls.ts';

const MICROS = { latency: 'floor(latency_ms * 1000 + 0.5)', ttft: 'floor(ttft_ms * 1000 + 0.5)' } as const;
const HAS: Readonly<Record<CallTime, string>> = {
  latency: 'is_call AND latency_ms IS NOT NULL',
  ttft: 'is_call AND stream AND ttft_ms IS NOT NULL',
};
const GENERATES = sql`is_call AND latency_ms IS NOT NULL AND ${OUTPUT} > 0`;
const unpriced = sql`is_call AND ${UNPRICED}`;
const outcome = (code: string): Sql =>
  sql`countIf(kind = 'guardrail' AND ifNull(error_code, '') = ${text(code)})`;

/** Each sum over rows. */
export const SUMS: Readonly<Record<Sum, Sql>> = {
  requests: raw('countIf(is_call)'),
  errors: sql`countIf(is_call AND ${FAILED})`,
  timeouts: raw("countIf(is_call AND status = 'timeout')"),
  rate_limited: raw("countIf(is_call AND status = 'rate_limited')"),
  cancelled: raw("countIf(is_call AND status = 'cancelled')"),
  cost_nano: raw('ifNull(sumIf(cost_nano, is_call), 0)'),
  unpriced: sql`countIf(${unpriced})`,
  unpriced_input_tokens: sql`sumIf(${INPUT}, ${unpriced})`,
  unpriced_output_tokens: sql`sumIf(${OUTPUT}, ${unpriced})`,
  input_tokens: sql`sumIf(${INPUT}, is_call)`,
  fresh_tokens: raw('sumIf(bucket_fresh, is_call)'),
  cache_read_tokens: raw('sumIf(bucket_cache_read, is_call)'),
  cache_write_tokens: raw('sumIf(bucket_cache_write_5m + bucket_cache_write_1h, is_call)'),
  output_tokens: sql`sumIf(${OUTPUT}, is_call)`,
  reasoning_tokens: raw('sumIf(bucket_reasoning, is_call)'),
  latency_us: raw(`ifNull(sumIf(${MICROS.latency}, ${HAS.latency}), 0)`),
  latency_count: raw(`countIf(${HAS.latency})`),
  ttft_us: raw(`ifNull(sumIf(${MICROS.ttft}, ${HAS.ttft}), 0)`),
  ttft_count: raw(`countIf(${HAS.ttft})`),
  generation_us: sql`ifNull(sumIf(greatest(0, ${raw(MICROS.latency)} - if(stream, ifNull(${raw(MICROS.ttft)}, 0), 0)), ${GENERATES}), 0)`,
  generation_tokens: sql`sumIf(${OUTPUT}, ${GENERATES})`,
  guardrail_checks: raw("countIf(kind = 'guardrail')"),
  guardrail_flags: outcome(OUTCOME_CODES.flag),
  guardrail_redactions: outcome(OUTCOME_CODES.redact),
  guardrail_blocks: outcome(OUTCOME_CODES.block),
};

const COLUMNS: Readonly<Record<string, string>> = {
  model: "nullIf(model, '')",
  provider: "nullIf(provider, '')",
  environment: "nullIf(environment, '')",
  errorCode: "nullIf(error_code, '')",
  status: 'toInt8(status)',
  kind: 'toInt8(kind)',
  operation: "nullIf(operation, '')",
  userId: "nullIf(user_id, '')",
  sessionId: "nullIf(session_id, '')",
  release: "nullIf(release, '')",
  agent: "nullIf(agent, '')",
  agentVersion: "nullIf(agent_version, '')",
  tool: "nullIf(tool, '')",
  promptName: "nullIf(prompt_name, '')",
  promptVersion: "nullIf(prompt_version, '')",
  finishReason: "nullIf(finish_reason, '')",
  keyId: 'key_id',
};

/** The value of a dimension, of which none is empty; of a status or kind its number. */
export function columnOf(dimension: Dimension): Sql {
  const column = COLUMNS[dimension];
  if (column !== undefined) return raw(column);
  const name = text(dimension.slice('tag:'.length));
  return sql`nullIf(tags[${name}], '')`;
}

/** The number of a row's bucket, or where it starts if buckets are listed. */
function bucketOf(division: Division, { from, to }: Window): Sql {
  if (division.fixed !== null) {
    const { ms, shift } = division.fixed;
    return sql`intDiv(ts + ${int(shift)}, ${int(ms)})`;
  }
  const [first, last] = [division.numberOf(from), division.numberOf(to - 1)];
  const starts = Array.from({ length: last - first + 1 }, (_, place) => division.startOf(first + place));
  return sql`roundDown(ts, array${ints(starts)})`;
}

/** The bucket, if there is a division, and each dimension. */
function keysOf({ division, dimensions, window }: Calls): Sql[] {
  return [...(division === null ? [] : [bucketOf(division, window)]), ...dimensions.map(columnOf)];
}

const named = (columns: readonly Sql[], prefix: string): Sql =>
  join(
    columns.map((column, place) => sql`${column} AS ${raw(`${prefix}${place}`)}`),
    ', ',
  );
const names = (columns: readonly Sql[], prefix: string): Sql =>
  raw(columns.map((_, place) => `${prefix}${place}`).join(', '));

/** The key of a group in a row. */
function keyIn(
  { division, dimensions }: Calls,
  columns: readonly Sql[],
): (row: EngineRow) => readonly SqlValue[] {
  const named = namedKey(dimensions, columns.length - dimensions.length);
  return (row) => {
    const key = columns.map((_, place) => {
      const value = row[`k${place}`] as SqlValue;
      return place === 0 && division !== null && division.fixed === null
        ? division.numberOf(Number(value))
        : value;
    });
    return named(key);
  };
}

/** Most groups of an answer, and most different times of all calls. */
const MAX_GROUPS = 200_000;
const MAX_VALUES = 2_000_000;

/**
 * The sums of the calls by bucket and dimensions: of days with current sums from these, of others from the events.
 * @throws AppError 400 for too many groups
 */
export async function readGroups(
  engine: Engine,
  projects: readonly number[],
  calls: Calls,
  sums: readonly Sum[],
): Promise<Map<string, Group>> {
  const { window } = calls;
  if (window.from >= window.to || projects.length === 0) return new Map();
  const wanted = [...new Set<Sum>(['requests', ...sums])];
  const closed = isRolledUp(calls) ? await readClosedDays(engine, projects, window) : [];
  const [stored, summed] = await Promise.all([
    sumRows(engine, projects, calls, {
      rows: sql`events FINAL WHERE ${inWindow(projects, window)} ${closed.length === 0 ? raw('') : sql`AND ${outsideOf(closed, projects, window)}`}`,
      wanted,
      sumOf: (name) => SUMS[name],
    }),
    closed.length === 0
      ? new Map<string, Group>()
      : sumRows(engine, projects, calls, {
          rows: sql`${rollupRows(closed)} AS days WHERE 1`,
          wanted,
          sumOf: (name) => raw(`sum(${name})`),
        }),
  ]);
  for (const [id, group] of summed) {
    const known = stored.get(id);
    if (known === undefined) stored.set(id, group);
    else addSums(known.sums, group.sums);
  }
  if (stored.size > MAX_GROUPS) throw tooMany(`more than ${MAX_GROUPS.toLocaleString('en-US')} groups`);
  return stored;
}

type Summing = { readonly rows: Sql; readonly wanted: readonly Sum[]; readonly sumOf: (name: Sum) => Sql };

async function sumRows(
  engine: Engine,
  projects: readonly number[],
  calls: Calls,
  { rows: from, wanted, sumOf }: Summing,
): Promise<Map<string, Group>> {
  const columns = keysOf(calls);
  const isMeant = selected({ filters: calls.filters, calls: true, guardrails: areOfGuardrails(wanted) });
  const rows = await engine.read(
    projects,
    sql`SELECT ${join(
      [...(columns.length === 0 ? [] : [named(columns, 'k')]), named(wanted.map(sumOf), 's')],
      ', ',
    )}
      FROM ${from} AND ${isMeant} ${unlessGone(calls.filters, calls.dimensions)}
      ${columns.length === 0 ? raw('HAVING count() > 0') : sql`GROUP BY ${names(columns, 'k')}`} LIMIT ${int(MAX_GROUPS + 1)}`,
  );
  const toKey = keyIn(calls, columns);
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = toKey(row);
    const id = groupId(key);
    const group = groups.get(id) ?? { key, sums: emptySums() };
    for (const [place, name] of wanted.entries()) group.sums[name] += Number(row[`s${place}`]);
    groups.set(id, group);
  }
  return groups;
}

/** How many calls of a group have a time. */
export type TimedCalls = {
  readonly key: readonly SqlValue[];
  readonly micros: number;
  readonly calls: number;
};

/** The times of the calls by bucket and dimensions, in whole microseconds. @throws AppError 400 for too many */
export async function readTimes(
  engine: Engine,
  projects: readonly number[],
  calls: Calls,
  time: CallTime,
): Promise<TimedCalls[]> {
  const { filters, window } = calls;
  if (window.from >= window.to || projects.length === 0) return [];
  const columns = keysOf(calls);
  const rows = await engine.read<{ micros: number; calls: number }>(
    projects,
    sql`SELECT ${columns.length === 0 ? raw('') : sql`${named(columns, 'k')}, `}${raw(MICROS[time])} AS micros, count() AS calls
      FROM events FINAL
      WHERE ${inWindow(projects, window)} AND ${selected({ filters, calls: true })} AND ${raw(HAS[time])} ${unlessGone(filters, calls.dimensions)}
      GROUP BY ${columns.length === 0 ? raw('') : sql`${names(columns, 'k')}, `}micros LIMIT ${int(MAX_VALUES + 1)}`,
  );
  if (rows.length > MAX_VALUES)
    throw tooMany(`more than ${MAX_VALUES.toLocaleString('en-US')} different times`);
  const toKey = keyIn(calls, columns);
  return rows.map((row) => ({ key: toKey(row), micros: row.micros, calls: row.calls }));
}

const tooMany = (what: string) =>
  badRequest(
    `groupBy: there are ${what} in this window; filter, choose fewer or coarser dimensions or a shorter window`,
  );
