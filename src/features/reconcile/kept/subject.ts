import { defineSubject } from '../../../core/audit/index.ts';
import { reconciliations } from '../table.ts';

/** What the audit log shows of a kept comparison: its sums, not its lines. */
export const reconciliationSubject = defineSubject('reconciliation', reconciliations, [
  'month',
  'name',
  'note',
  'layout',
  'fromDay',
  'toDay',
  'invoiceNano',
  'booksNano',
  'driftNano',
]);
