import { defineSubject } from '../audit/index.ts';
import { scoreDefinitions } from './table.ts';

/** What the audit log shows of a definition. Scores are counted, not shown: the log forgets nobody. */
export const definitionSubject = defineSubject('score_definition', scoreDefinitions, [
  'name',
  'type',
  'description',
  'min',
  'max',
  'categories',
  'direction',
]);
