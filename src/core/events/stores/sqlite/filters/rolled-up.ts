import type { SqlValue } from '../../../../../db/connection.ts';
import { textTest } from '../../../../../lib/filter/values.ts';
import { CHECK_ACTIONS } from '../../../../../lib/guardrails/definition.ts';
import { OUTCOME_CODES } from '../../../../../lib/guardrails/outcome-code.ts';
import { EVENT_STATUSES } from '../../../contract.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { KIND, STATUS } from '../columns.ts';
import { kindNumbers, statusNumbers } from './condition-tests.ts';
import { ROLLED_TEXTS, type RowCondition } from './row-condition.ts';

/** Whether the entries of roll-ups have what a condition is about. */
export const isRolledUpCondition = ({ field }: RowCondition): boolean =>
  field === 'status' || field === 'kind' || field === 'guardrail' || field in ROLLED_TEXTS;

const FAILED = `status IN (${FAILED_STATUSES.map((name) => STATUS[name]).join(', ')})`;

/** A condition as SQL over the entries of roll-ups, where '' is no value. */
export function conditionSql(condition: RowCondition): { sql: string; args: SqlValue[] } {
  const { sql, args } = heldSql(condition);
  return { sql: condition.not ? `NOT (${sql})` : sql, args };
}

function heldSql(condition: RowCondition): { sql: string; args: SqlValue[] } {
  const { field, values, globs, known = [] } = condition;
  const isAny = values === undefined && globs === undefined;
  if (field === 'status' || field === 'kind') {
    const numbersOf = field === 'status' ? statusNumbers : kindNumbers;
    return { sql: isAny ? '1' : `${field} IN (${values?.flatMap(numbersOf).join(', ')})`, args: [] };
  }
  if (field === 'guardrail') return guardrailSql(values);
  const column = ROLLED_TEXTS[field] ?? field;
  const wanted = JSON.stringify([...(values ?? []), ...known].filter((value) => value !== ''));
  if (field !== 'error')
    return isAny
      ? { sql: `${column} <> ''`, args: [] }
      : { sql: `${column} IN (SELECT value FROM json_each(?))`, args: [wanted] };
  if (isAny) return { sql: FAILED, args: [] };
  const test = textTest(condition);
  const statuses = EVENT_STATUSES.filter((name) => test(name)).map((name) => STATUS[name]);
  return {
    sql: `${FAILED} AND (error_code IN (SELECT value FROM json_each(?)) OR error_code = '' AND status IN (${statuses.join(', ')}))`,
    args: [wanted],
  };
}

/** The entries of guardrails that did one of some things; without them of all guardrails. */
function guardrailSql(outcomes: readonly string[] | undefined): { sql: string; args: SqlValue[] } {
  const isGuardrail = `kind = ${KIND.guardrail}`;
  if (outcomes === undefined) return { sql: isGuardrail, args: [] };
  const cases = CHECK_ACTIONS.map((action) => `WHEN '${OUTCOME_CODES[action]}' THEN '${action}'`).join(' ');
  return {
    sql: `${isGuardrail} AND CASE error_code ${cases} ELSE 'allow' END IN (SELECT value FROM json_each(?))`,
    args: [JSON.stringify(outcomes)],
  };
}
