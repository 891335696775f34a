import { patternsSize } from '../../detect/content/json-schema.ts';
import { patternSize } from '../../detect/content/pattern-size.ts';
import type { Check } from '../definition.ts';

/** About how many parts the patterns of a check have, with their repetitions written out. @throws Error for a wrong schema */
export function sizeOf(check: Check): number {
  if (check.kind === 'regex') return patternSize(check.pattern);
  if (check.kind === 'json_schema') return patternsSize(check.schema);
  if (check.kind !== 'guardrail') return 0;
  const { pattern, schema } = check.config ?? {};
  if (check.detect === 'regex' && typeof pattern === 'string') return patternSize(pattern);
  return check.detect === 'json_schema' ? patternsSize(schema) : 0;
}
