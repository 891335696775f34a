import type { SqlValue } from '../../../db/connection.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Condition } from '../../events/filter/contract.ts';
import type { Targets } from '../../events/index.ts';
import type { SqlPart } from './score-conditions.ts';

/** A condition on scores, and the events that are read: epoch milliseconds, half-open. Null for all times. */
export type TargetsQuery = {
  readonly condition: Condition;
  readonly window: { readonly from: number; readonly to: number } | null;
};

/** Most targets of a condition: each is looked for in the events. */
const MAX_TARGETS = 50_000;
/** A trace or session that began earlier than this before a window is not looked for in it. */
const REACH_MS = 31 * DAY_MS;

/** What a condition on scores holds for: traces, spans and sessions that have such a score. */
export const readTargets: ReadOp<TargetsQuery, Targets[]> = {
  name: 'scores.targets',
  run(reader, { condition, window }) {
    const name = condition.field.slice('score.'.length);
    const tests = testsOf(condition);
    const isFulfilled = tests.length === 0 ? '1' : tests.map(({ sql }) => `(${sql})`).join(' OR ');
    const rows = reader.rows(
      `SELECT DISTINCT project, trace_id, span_id, target_session FROM scores
       WHERE project IN (SELECT value FROM json_each(?)) AND name = ? AND at >= ? AND at < ? AND item_id = ''
         AND (${isFulfilled}) LIMIT ?`,
      [
        JSON.stringify(reader.projects),
        name,
        (window?.from ?? 0) - REACH_MS,
        window?.to ?? Number.MAX_SAFE_INTEGER,
        ...tests.flatMap(({ args }) => args),
        MAX_TARGETS + 1,
      ],
    );
    if (rows.length > MAX_TARGETS)
      throw badRequest(
        `filter: ${condition.field} holds for more than ${MAX_TARGETS.toLocaleString('en-US')} traces and sessions; choose a shorter window, or fewer values`,
      );
    return [...Map.groupBy(rows, ([project]) => Number(project))].map(([project, own]) => ({
      project,
      traces: own.flatMap(([, trace, span]) => (trace !== '' && span === '' ? [String(trace)] : [])),
      spans: own.flatMap(([, trace, span]) => (span === '' ? [] : [[String(trace), String(span)] as const])),
      sessions: own.flatMap(([, , , session]) => (session === '' ? [] : [String(session)])),
    }));
  },
};

/** What a score's value may be; none for any. */
function testsOf({ values = [], globs = [], ranges = [] }: Condition): SqlPart[] {
  const args = (given: readonly unknown[]): SqlValue[] => [JSON.stringify(given)];
  const flags = values.flatMap((one) => (one === 'true' ? [1] : one === 'false' ? [0] : []));
  return [
    ...(values.length === 0
      ? []
      : [
          { sql: 'category IN (SELECT value FROM json_each(?))', args: args(values) },
          { sql: "type = 'boolean' AND value IN (SELECT value FROM json_each(?))", args: args(flags) },
        ]),
    ...globs.map((glob) => ({ sql: 'lower(category) GLOB ?', args: [glob.replaceAll('[', '[[]')] })),
    ...ranges.map(({ min, over, max, under }) => {
      const bounds = [
        ['>=', min],
        ['>', over],
        ['<=', max],
        ['<', under],
      ] as const;
      const given = bounds.flatMap(([operator, bound]) => (bound === undefined ? [] : [{ operator, bound }]));
      return {
        sql: given.map(({ operator }) => `value ${operator} ?`).join(' AND '),
        args: given.map(({ bound }) => bound),
      };
    }),
  ];
}
