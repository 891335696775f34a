import type { SqlValue } from '../../../../../db/connection.ts';
import type { EventStatus } from '../../../contract.ts';
import { withSpellings } from '../../../filter/with-spellings.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { KIND, STATUS } from '../columns.ts';
import { conditionSql, isRolledUpCondition } from '../filters/rolled-up.ts';
import type { RowFilters } from '../scan/row-selection.ts';

/** Conditions to append, each with a leading ` AND `. */
export type Where = { readonly sql: string; readonly args: readonly SqlValue[] };

/** Whether the roll-ups support the filters. They have no users, sessions, labels or cost statuses. */
export const isRolledUp = ({ userId, sessionId, labels, costStatus, where = [] }: RowFilters): boolean =>
  [userId, sessionId, labels, costStatus].every((filter) => filter === undefined) &&
  where.every(isRolledUpCondition);

/** Lets SQLite search the keys of the roll-ups up to the status. */
const IS_CALL_KIND = `kind IN (${KIND.llm}, ${KIND.embedding})`;

/** Entries of events of guardrails. */
export const IS_GUARDRAIL = `kind = ${KIND.guardrail}`;

/** Filters that the roll-ups support, as SQL over their entries. */
export function whereOf({
  filters: given,
  calls,
  guardrails = false,
}: {
  readonly filters: RowFilters;
  readonly calls: boolean;
  readonly guardrails?: boolean;
}): Where {
  const { model, provider, environment, kind, status, errorCode, where = [] } = withSpellings(given);
  const conditions: string[] = [];
  const args: SqlValue[] = [];
  const equal = (column: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(`${column} = ?`);
    args.push(value);
  };
  if (calls) conditions.push(guardrails ? `(is_call = 1 OR ${IS_GUARDRAIL})` : 'is_call = 1');
  if (calls && kind === undefined)
    conditions.push(guardrails ? `(${IS_CALL_KIND} OR ${IS_GUARDRAIL})` : IS_CALL_KIND);
  equal('kind', kind === undefined ? undefined : KIND[kind]);
  equal('model', model);
  equal('provider', provider);
  equal('environment', environment);
  if (status !== undefined) conditions.push(inStatus(typeof status === 'string' ? [status] : status));
  if (errorCode !== undefined) {
    const byStatus = FAILED_STATUSES.filter((name) => name === errorCode)
      .map((name) => ` OR (error_code = '' AND status = ${STATUS[name]})`)
      .join('');
    conditions.push(`(error_code = ?${byStatus})`, inStatus(FAILED_STATUSES));
    args.push(errorCode);
  }
  for (const condition of where) {
    const held = conditionSql(condition);
    conditions.push(`(${held.sql})`);
    args.push(...held.args);
  }
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), args };
}

const inStatus = (statuses: readonly EventStatus[]): string =>
  `status IN (${statuses.map((status) => STATUS[status]).join(', ')})`;
