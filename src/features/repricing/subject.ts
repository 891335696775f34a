import { defineSubject } from '../../core/audit/index.ts';
import { repricings } from './table.ts';

/** What the audit log shows of a re-pricing. */
export const repricingSubject = defineSubject('repricing', repricings, [
  'state',
  'request',
  'looked',
  'changes',
  'beforeNano',
  'afterNano',
  'applied',
  'appliedNano',
]);
