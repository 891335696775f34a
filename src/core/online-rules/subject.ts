import { defineSubject } from '../audit/index.ts';
import { onlineRules } from './table.ts';

/** What the audit log shows of a rule. Not its filter, which may name an end user: the log forgets nobody. */
export const ruleSubject = defineSubject('online_rule', onlineRules, [
  'name',
  'evaluatorId',
  'sampleRate',
  'delaySeconds',
  'capNano',
  'judgesUnstored',
  'enabled',
]);
