import { defineSubject } from '../../core/audit/index.ts';
import { statementDefinitions, statementMonths } from './table.ts';

/** What the audit log shows of a definition. */
export const definitionSubject = defineSubject('statement_definition', statementDefinitions, [
  'by',
  'settings',
]);

/** What it shows of a closed month. */
export const monthSubject = defineSubject('statement', statementMonths, [
  'month',
  'closedAt',
  'statements',
  'costNano',
  'correctionsNano',
  'total',
]);
