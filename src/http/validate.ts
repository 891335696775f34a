import type { z } from 'zod';
import { badRequest } from '../errors.ts';
import { fieldsAt, unknownName } from './field-names.ts';
import { problemOf } from './problem-of.ts';

/**
 * Parses external input. Throws 400 with the first problem: `name is required`, `limit: …`. Texts with NUL are refused,
 * because the database's driver would store what is before it.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) {
    const at = pathOfNul(result.data);
    if (at !== null) throw badRequest(`${at || 'the body'} must not contain NUL`);
    return result.data;
  }
  const { issues } = result.error;
  const issue = issues.find((one) => !isSafeRange(one)) ?? issues[0];
  const path = issue?.path.join('.') || 'the body';
  if (issue !== undefined && isMissing(issue)) throw badRequest(`${path} is required`);
  if (issue?.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized key'))
    throw badRequest(
      unknownName('field', issue.keys[0] ?? '', {
        place: issue.path.length === 0 ? 'here' : `in ${path}`,
        known: fieldsAt(schema, issue.path),
      }),
    );
  throw badRequest(`${path}: ${issue === undefined ? 'is not valid' : problemOf(issue)}`);
}

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_union');

/** The bound of whole numbers that zod adds by itself: a bound of the schema says more. */
const isSafeRange = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER;

/** Where a value has a text or a field's name with NUL; null if nowhere. Without recursion: JSON may be nested deeply. */
function pathOfNul(value: unknown): string | null {
  const left: [path: string, value: unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, found] = next;
    if (typeof found === 'string' && found.includes('\0')) return path;
    if (typeof found !== 'object' || found === null || ArrayBuffer.isView(found)) continue;
    for (const [name, part] of Object.entries(found)) {
      if (name.includes('\0')) return path;
      left.push([path === '' ? name : `${path}.${name}`, part]);
    }
  }
  return null;
}
