import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

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
  record: 'an object',
};

/** What is wrong in plain words; what a schema says in words of its own stays. */
export function problemOf(issue: Issue): string {
  if (issue.code === 'invalid_union' && issue.errors.length > 0 && issue.message === 'Invalid input')
    return problemOfUnion(issue.errors);
  // It has the choices, of which zod's types do not know.
  if (issue.message.startsWith('Invalid discriminator') && 'options' in issue && Array.isArray(issue.options))
    return `must be one of ${issue.options.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.message === OWN_WORDS[issue.format]?.[0])
    return OWN_WORDS[issue.format]?.[1] ?? issue.message;
  if (issue.code === 'unrecognized_keys' && issue.message.startsWith('Unrecognized key'))
    return `there is no field ${issue.keys[0]}`;
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

/** What zod says of a format, and what its writer can do. */
const OWN_WORDS: Readonly<Record<string, readonly [zods: string, ours: string]>> = {
  datetime: ['Invalid ISO datetime', 'must be a time in ISO 8601, such as 2030-01-31T00:00:00Z'],
  date: ['Invalid ISO date', 'must be a date, such as 2030-01-31'],
  guid: ['Invalid GUID', 'must be a UUID, such as 0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90'],
};

/** All choices of a union, if each of its members is one or several; else what each member wants. */
function problemOfUnion(members: readonly (readonly Issue[])[]): string {
  const firsts = members.flatMap(([first]) => (first === undefined || isEmptyText(first) ? [] : first));
  const choices = firsts.map(choicesOf);
  if (choices.every((own) => own !== null))
    return `must be one of ${[...new Set(choices.flat())].join(', ')}`;
  const problems = firsts.map((issue) =>
    issue.path.length === 0 ? problemOf(issue) : `${issue.path.join('.')}: ${problemOf(issue)}`,
  );
  return [...new Set(problems)].join(', or ') || 'is not valid';
}

/** Whether only an empty text was accepted, which removes a value and is nothing to propose. */
const isEmptyText = (issue: Issue): boolean => issue.code === 'invalid_value' && issue.values.join() === '';

/** What a member of a union accepts; null if it is no choice. */
function choicesOf(issue: Issue): string[] | null {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_format' || issue.format !== 'template_literal') return null;
  const text = String(issue.pattern)
    .replaceAll(/^\^|\$$/g, '')
    .replaceAll(/\[\\s\\S\]\{\d*,\d*\}/g, 'NAME');
  return [text.replaceAll(/\\(.)/g, '$1')];
}

function bound(origin: string, words: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `must be ${words} ${limit}`
    : `must have ${words} ${limit} ${unit[Number(limit) === 1 ? 0 : 1]}`;
}
