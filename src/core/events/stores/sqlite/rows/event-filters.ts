import type { SqlValue } from '../../../../../db/connection.ts';
import type { EventStatus } from '../../../contract.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import type { RowFilters, RowSelection } from '../../log/scan/row-selection.ts';
import { COST_STATUS, IS_CALL_KIND, KIND, STATUS } from './numbers.ts';

/** Conditions to append, each with a leading ` AND `. */
export type Where = { readonly sql: string; readonly args: readonly SqlValue[] };

/** Whether the roll-ups support the filters. They have no users, sessions, labels or cost statuses. */
export const isRolledUp = ({ userId, sessionId, labels, costStatus }: RowFilters): boolean =>
  [userId, sessionId, labels, costStatus].every((filter) => filter === undefined);

/** Labels of a JSON list. */
const IN_LABELS = 'label IN (SELECT value FROM json_each(?))';

/** The selection as SQL. The columns have the same names in `events` and in the roll-ups. */
export function whereOf({ filters, calls, inSession }: RowSelection): Where {
  const { model, provider, environment, userId, sessionId, kind, status, errorCode } = filters;
  const { costStatus, labels, keyId, tag } = filters;
  if (labels === undefined && (keyId ?? tag) !== undefined) throw new Error('labels were not looked up');
  const conditions: string[] = [];
  const args: SqlValue[] = [];
  const equal = (column: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(`${column} = ?`);
    args.push(value);
  };
  if (calls) conditions.push('is_call = 1');
  if (inSession) conditions.push('session_id IS NOT NULL');
  // Redundant with is_call, but lets SQLite search the roll-ups' keys up to the status.
  if (calls && kind === undefined) conditions.push(IS_CALL_KIND);
  equal('kind', kind === undefined ? undefined : KIND[kind]);
  equal('model', model);
  equal('provider', provider);
  equal('environment', environment);
  equal('user_id', userId);
  equal('session_id', sessionId);
  if (costStatus !== undefined) conditions.push('is_call = 1');
  equal('cost_status', costStatus === undefined ? undefined : COST_STATUS[costStatus]);
  if (labels !== undefined) {
    conditions.push(IN_LABELS);
    args.push(JSON.stringify(labels));
  }
  if (status !== undefined) conditions.push(statusCondition(typeof status === 'string' ? [status] : status));
  if (errorCode !== undefined) {
    const nameless = FAILED_STATUSES.filter((name) => name === errorCode).map((name) => STATUS[name]);
    const byStatus = nameless
      .map((code) => ` OR (ifnull(error_code, '') = '' AND status = ${code})`)
      .join('');
    conditions.push(`(error_code = ?${byStatus})`, statusCondition(FAILED_STATUSES));
    args.push(errorCode);
  }
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), args };
}

/** Must match the condition of the partial index events_failed literally, so that SQLite uses it. */
const NO_SUCCESS = `status <> ${STATUS.success}`;

/**
 * Condition on the status. Adds the redundant condition of events_failed if only unsuccessful statuses are selected.
 */
function statusCondition(statuses: readonly EventStatus[]): string {
  const codes = statuses.map((status) => STATUS[status]);
  const listed = `status IN (${codes.join(', ')})`;
  return codes.includes(STATUS.success) ? listed : `${listed} AND ${NO_SUCCESS}`;
}
