import type { SqlValue } from '../../../../../db/connection.ts';
import {
  COST_STATUSES,
  type CostStatus,
  EVENT_KINDS,
  EVENT_STATUSES,
  type EventKind,
  type EventStatus,
} from '../../../contract.ts';

/** Epoch milliseconds, half-open: `from` ≤ ts < `to`. */
export type Window = { readonly from: number; readonly to: number };

/** What events must be like. Absent means any. */
export type EventFilters = {
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly environment?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** Failed events of one error group: by code, or by status where they have no code. */
  readonly errorCode?: string | undefined;
  /** One status or any of several. */
  readonly status?: EventStatus | readonly EventStatus[] | undefined;
  /** Calls of which it is known so. */
  readonly costStatus?: CostStatus | undefined;
  /** The project key with which they came, and `NAME=VALUE` of a tag: `withLabels` looks up what they mean. */
  readonly keyId?: string | undefined;
  readonly tag?: string | undefined;
  /** Numbers of labels, one of which they have. */
  readonly labels?: readonly number[] | undefined;
};

/** Which events a read is about. `calls`: only those that count as one call. */
export type Selection = {
  readonly filters: EventFilters;
  readonly calls: boolean;
  /** Only events that belong to a session. */
  readonly inSession?: true;
};

/** Conditions to put after others, each with a leading ` AND `. */
export type Where = { readonly sql: string; readonly args: readonly SqlValue[] };

/** Statuses that count in `errorRate`: a cancelled call did not fail. */
export const FAILED_STATUSES = ['error', 'timeout', 'rate_limited'] as const satisfies EventStatus[];

/** Kinds that can count as a call. */
const CALL_KINDS = [EVENT_KINDS.indexOf('llm'), EVENT_KINDS.indexOf('embedding')].join(', ');

/** True when the roll-ups can answer: they know nothing of users, sessions, labels and of most cost statuses. */
export const isRolledUp = ({ userId, sessionId, labels, costStatus }: EventFilters): boolean =>
  [userId, sessionId, labels, costStatus].every((filter) => filter === undefined);

/** Labels of a JSON list. */
const IN_LABELS = 'label IN (SELECT value FROM json_each(?))';

/** The selection as SQL. The columns have the same names in `events` and in the roll-ups. */
export function whereOf({ filters, calls, inSession }: Selection): Where {
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
  // Says no more than is_call, but lets the roll-ups' keys be searched as far as the status.
  if (calls && kind === undefined) conditions.push(`kind IN (${CALL_KINDS})`);
  equal('kind', kind === undefined ? undefined : EVENT_KINDS.indexOf(kind));
  equal('model', model);
  equal('provider', provider);
  equal('environment', environment);
  equal('user_id', userId);
  equal('session_id', sessionId);
  if (costStatus !== undefined) conditions.push('is_call = 1');
  equal('cost_status', costStatus === undefined ? undefined : COST_STATUSES.indexOf(costStatus));
  if (labels !== undefined) {
    conditions.push(IN_LABELS);
    args.push(JSON.stringify(labels));
  }
  if (status !== undefined) conditions.push(statusCondition(typeof status === 'string' ? [status] : status));
  if (errorCode !== undefined) {
    const nameless = FAILED_STATUSES.filter((name) => name === errorCode).map((name) =>
      EVENT_STATUSES.indexOf(name),
    );
    const byStatus = nameless
      .map((code) => ` OR (ifnull(error_code, '') = '' AND status = ${code})`)
      .join('');
    conditions.push(`(error_code = ?${byStatus})`, statusCondition(FAILED_STATUSES));
    args.push(errorCode);
  }
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), args };
}

/** `status <> 0` as well, word for word, so that the partial index events_failed can serve. */
function statusCondition(statuses: readonly EventStatus[]): string {
  const codes = statuses.map((status) => EVENT_STATUSES.indexOf(status));
  const listed = `status IN (${codes.join(', ')})`;
  return codes.includes(0) ? listed : `${listed} AND status <> 0`;
}
