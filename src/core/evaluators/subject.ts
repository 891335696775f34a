import { defineSubject } from '../audit/index.ts';
import { evaluators, evaluatorVersions } from './table.ts';

/** What the audit log shows. Templates stay in the versions, which never change. */
export const evaluatorSubject = defineSubject('evaluator', evaluators, ['name', 'description', 'version']);
export const evaluatorVersionSubject = defineSubject(
  'evaluator_version',
  evaluatorVersions,
  ['evaluatorId', 'version', 'kind', 'scoreName'],
  ['evaluatorId', 'version'],
);
