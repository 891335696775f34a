import { defineSubject } from '../audit/index.ts';
import { savedViews } from './table.ts';

/** What the audit log shows of a view. Not its filters: one may name an end user, and the log forgets nobody. */
export const savedViewSubject = defineSubject('saved_view', savedViews, [
  'name',
  'page',
  'createdBy',
  'owner',
]);
