import { defineSubject } from '../audit/index.ts';
import { budgets } from './table.ts';

/** What the audit log shows of a budget. */
export const budgetSubject = defineSubject('budget', budgets, [
  'name',
  'kind',
  'projectId',
  'keyId',
  'userId',
  'tag',
  'value',
  'period',
  'limitNano',
  'levels',
]);
