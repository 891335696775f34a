import { defineSubject } from '../audit/index.ts';
import { guardrails } from './table.ts';

/** What the audit log shows of a guardrail. Not its checks: keywords may name people, and the log forgets nobody. */
export const guardrailSubject = defineSubject('guardrail', guardrails, [
  'name',
  'version',
  'stage',
  'failureMode',
  'environments',
  'sampleRate',
  'enabled',
]);
