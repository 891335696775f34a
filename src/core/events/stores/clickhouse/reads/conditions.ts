import { badRequest } from '../../../../../errors.ts';
import { OUTCOME_CODES } from '../../../../../lib/guardrails/outcome-code.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { Condition } from '../../../filter/contract.ts';
import { isOfScores, type Targets } from '../../../filter/targets.ts';
import { withSpellings } from '../../../filter/with-spellings.ts';
import { type EventFilters, FAILED_STATUSES, type Selection, type Window } from '../../../selection.ts';
import {
  all,
  any,
  float,
  int,
  ints,
  nothing,
  pairs,
  raw,
  type Sql,
  sql,
  text,
  texts,
} from '../engine/sql.ts';
import { FORGOTTEN } from '../rows/forgotten.ts';

/** Input and output tokens of a row. */
export const INPUT = raw(
  '(bucket_fresh + bucket_cache_read + bucket_cache_write_5m + bucket_cache_write_1h)',
);
export const OUTPUT = raw('(bucket_output + bucket_reasoning)');
export const FAILED = sql`status IN ${texts(FAILED_STATUSES)}`;
export const UNPRICED = raw("ifNull(cost_status, '') = 'unpriced'");

/** Rows that are still events: of those that retention deleted, only the figures are left. */
export const IS_EVENT = raw('NOT is_kept');

/** The rows of projects in a window. */
export const inWindow = (projects: readonly number[], { from, to }: Window): Sql =>
  sql`project IN ${ints(projects)} AND ts >= ${int(Math.ceil(from))} AND ts < ${int(Math.ceil(to))}`;

/**
 * The UTC days of a window and one more at each end: where the other spans of traces with a span in the window are
 * looked for.
 */
export const nearDays = ({ from, to }: Window): Window => ({
  from: (Math.floor(from / DAY_MS) - 1) * DAY_MS,
  to: (Math.ceil(to / DAY_MS) + 1) * DAY_MS,
});

/** The rows of a selection. */
export const selected = ({ filters, calls, guardrails = false, inSession }: Selection): Sql =>
  all([
    ...(calls ? [raw(guardrails ? "is_call OR kind = 'guardrail'" : 'is_call')] : []),
    ...(inSession === true ? [raw('session_id IS NOT NULL')] : []),
    ...filterConditions(filters),
  ]);

/** Each filter as a condition. */
function filterConditions(filters: EventFilters): Sql[] {
  const { status, errorCode, costStatus, keyId, tag, where = [], ...plain } = withSpellings(filters);
  const statuses = status === undefined ? undefined : [status].flat();
  return [
    ...Object.entries(plain).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [sql`${raw(`ifNull(${COLUMNS[name as keyof typeof COLUMNS]}, '')`)} = ${text(value)}`],
    ),
    ...(statuses === undefined ? [] : [sql`status IN ${texts(statuses)}`]),
    ...(errorCode === undefined ? [] : [sql`${FAILED} AND ${ERROR_GROUP} = ${text(errorCode)}`]),
    ...(costStatus === undefined ? [] : [sql`is_call AND ifNull(cost_status, '') = ${text(costStatus)}`]),
    ...(keyId === undefined ? [] : [sql`ifNull(key_id, '') = ${text(keyId)}`]),
    ...(tag === undefined
      ? []
      : [
          sql`arrayExists((k, v) -> v != '' AND concat(k, '=', v) = ${text(tag)}, mapKeys(tags), mapValues(tags))`,
        ]),
    ...where.map(toCondition),
  ];
}

/** Filters of one column each. */
const COLUMNS = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  userId: 'user_id',
  sessionId: 'session_id',
  kind: 'toString(kind)',
} as const;

/** Of a failed event its code, or its status without one. */
export const ERROR_GROUP = raw(
  "if(ifNull(error_code, '') = '', toString(status), assumeNotNull(error_code))",
);

/** A condition of the filter language. It holds or does not, whatever has no value. */
function toCondition(condition: Condition): Sql {
  const found = fieldCondition(condition);
  return condition.not ? sql`NOT ifNull(${found}, 0)` : sql`ifNull(${found}, 0)`;
}

const OUTCOME = raw(
  `multiIf(${Object.entries(OUTCOME_CODES)
    .map(([action, code]) => `ifNull(error_code, '') = '${code}', '${action}'`)
    .join(', ')}, 'allow')`,
);

const TEXT_COLUMNS: Readonly<Record<string, string>> = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  operation: 'operation',
  user: 'user_id',
  session: 'session_id',
  key: 'key_id',
  name: 'name',
  agent: 'agent',
  agentVersion: 'agent_version',
  tool: 'tool',
  release: 'release',
  prompt: 'prompt_name',
  promptVersion: 'prompt_version',
  finish: 'finish_reason',
  sdk: 'sdk_version',
  kind: 'toString(kind)',
  stream: "if(stream, 'true', 'false')",
};

/** The column of a field or dimension. */
const COLUMN_OF: Readonly<Record<string, string>> = {
  ...TEXT_COLUMNS,
  ...COLUMNS,
  promptName: 'prompt_name',
  finishReason: 'finish_reason',
  message: 'error_message',
  text: 'error_message',
};

/** Whether a query asks for what retention forgets of an event. */
export function asksForgotten(
  { where = [], ...plain }: EventFilters,
  dimensions: readonly string[],
): boolean {
  const given = Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const asked = [...given, ...dimensions, ...where.map(({ field }) => field)];
  return asked.some((name) => name.startsWith('metadata.') || (COLUMN_OF[name] ?? '') in FORGOTTEN);
}

/** Leaves out what retention left, where it lacks what is asked for: it would count as an event without it. */
export const unlessGone = (filters: EventFilters, dimensions: readonly string[]): Sql =>
  asksForgotten(filters, dimensions) ? sql`AND ${IS_EVENT}` : nothing;

const COST = 'if(is_call, cost_nano / 1e9, NULL)';
const NUMBERS: Readonly<Record<string, Sql>> = {
  latency: raw('latency_ms'),
  ttft: raw('ttft_ms'),
  cost: raw(COST),
  input: INPUT,
  output: OUTPUT,
  cached: raw('bucket_cache_read'),
  reasoning: raw('bucket_reasoning'),
  tokens: sql`(${INPUT} + ${OUTPUT})`,
};

/** Whether a row fulfils a condition, `not` left aside. @throws AppError 400 for a field that the rows do not have */
function fieldCondition(condition: Condition): Sql {
  const { field } = condition;
  if (isOfScores(condition)) return scoreCondition(condition);
  const name = text(field.slice(field.indexOf('.') + 1));
  if (field.startsWith('tag.'))
    return jsonCondition(condition, sql`if(mapContains(tags, ${name}), tags[${name}], NULL)`);
  if (field.startsWith('metadata.')) return jsonCondition(condition, jsonText('metadata', name));
  const column = TEXT_COLUMNS[field];
  if (column !== undefined) return textCondition(condition, raw(column));
  const number = NUMBERS[field];
  if (number !== undefined) return numberCondition(condition, number);
  switch (field) {
    case 'status':
      return statusCondition(condition);
    case 'costStatus':
      return sql`is_call AND ${textCondition(condition, raw('cost_status'))}`;
    case 'error':
      return sql`${FAILED} AND ${textCondition(condition, ERROR_GROUP)}`;
    case 'guardrail':
      return sql`kind = 'guardrail' AND ${textCondition(condition, OUTCOME)}`;
    case 'message':
      return messageCondition(condition);
    case 'text':
      return any([
        ...['model', 'operation', 'error_code', 'name', 'agent', 'tool', 'prompt_name'].map(
          (one) => sql`ifNull(${textCondition(condition, raw(one))}, 0)`,
        ),
        sql`ifNull(${messageCondition(condition)}, 0)`,
      ]);
    default:
      throw badRequest(`filter: ${field} cannot be used here`);
  }
}

/** Whether an event is of a trace, span or session for which a condition on scores holds. */
function scoreCondition({ field, targets }: Condition & { readonly targets?: readonly Targets[] }): Sql {
  if (targets === undefined) throw badRequest(`filter: ${field} cannot be used here`);
  return any(
    targets.map(({ project, traces, spans, sessions }) =>
      all([
        sql`project = ${int(project)}`,
        any([
          ...(traces.length === 0 ? [] : [sql`trace_id IN ${texts(traces)}`]),
          ...(spans.length === 0 ? [] : [sql`(trace_id, span_id) IN ${pairs(spans)}`]),
          ...(sessions.length === 0 ? [] : [sql`ifNull(session_id, '') IN ${texts(sessions)}`]),
        ]),
      ]),
    ),
  );
}

const messageCondition = (condition: Condition): Sql =>
  sql`status != 'success' AND ${textCondition(condition, raw('error_message'))}`;

function statusCondition({ values }: Condition): Sql {
  if (values === undefined) return raw('1');
  return sql`status IN ${texts(values.flatMap((value) => (value === 'failed' ? FAILED_STATUSES : [value])))}`;
}

/** A value of a column of JSON as text; NULL without one. */
export function jsonText(column: 'metadata' | 'tags_json', name: Sql): Sql {
  const json = raw(column);
  return sql`multiIf(${json} = '' OR NOT JSONHas(${json}, ${name}) OR JSONType(${json}, ${name}) = 'Null', NULL,
    JSONType(${json}, ${name}) = 'String', JSONExtractString(${json}, ${name}), JSONExtractRaw(${json}, ${name}))`;
}

/** A value in JSON: compared as text, or as a number where the condition has bounds. */
function jsonCondition(condition: Condition, value: Sql): Sql {
  if (condition.ranges === undefined) return textCondition(condition, value);
  return numberCondition(condition, sql`toFloat64OrNull(trimBoth(ifNull(${value}, '')))`);
}

function textCondition({ values, globs, contains }: Condition, column: Sql): Sql {
  if (contains !== undefined) return sql`position(lowerUTF8(ifNull(${column}, '')), ${text(contains)}) > 0`;
  const given = sql`ifNull(${column}, '') != ''`;
  if (values === undefined && globs === undefined) return given;
  return sql`${given} AND ${any([
    ...(values === undefined ? [] : [sql`ifNull(${column}, '') IN ${texts(values)}`]),
    ...(globs ?? []).map((glob) => sql`lowerUTF8(ifNull(${column}, '')) LIKE ${text(likeOf(glob))}`),
  ])}`;
}

/** A glob as a pattern of LIKE. */
const likeOf = (glob: string): string =>
  glob
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

function numberCondition({ ranges }: Condition, value: Sql): Sql {
  if (ranges === undefined) return sql`${value} IS NOT NULL`;
  return any(
    ranges.map(({ min, over, max, under }) =>
      all([
        ...(min === undefined ? [] : [sql`${value} >= ${float(min)}`]),
        ...(over === undefined ? [] : [sql`${value} > ${float(over)}`]),
        ...(max === undefined ? [] : [sql`${value} <= ${float(max)}`]),
        ...(under === undefined ? [] : [sql`${value} < ${float(under)}`]),
      ]),
    ),
  );
}
