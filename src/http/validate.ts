import type { z } from 'zod';
import { badRequest } from '../errors.ts';

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
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') || 'the body';
  if (issue?.code === 'invalid_type' && issue.input === undefined) throw badRequest(`${path} is required`);
  throw badRequest(`${path}: ${issue === undefined ? 'is not valid' : problemOf(issue)}`);
}

/** What is counted of texts and lists. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What is wrong in plain words; what a schema says in words of its own stays. */
function problemOf(issue: z.core.$ZodIssue): string {
  if (!/^(Too (big|small)|Invalid (input|option)): expected /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      return `must be ${NAMES[issue.expected] ?? `of type ${issue.expected}`}`;
    default:
      return issue.message;
  }
}

function bound(origin: string, words: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${words} ${limit}`
    : `must have ${words} ${limit} ${unit[Number(limit) === 1 ? 0 : 1]}`;
}

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
