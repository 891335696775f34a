import { badRequest } from '../../../errors.ts';
import { numberTest, textTest } from '../../../lib/filter/values.ts';
import { type Condition, type FilterField, parseFilter } from '../../events/filter/contract.ts';
import { type EventSubject, FAILED_STATUSES } from '../../events/index.ts';

type Read = (subject: EventSubject) => unknown;
type Field = keyof EventSubject['root'];

/** A field of the root, or of the last call where the root has none: what scores keep of their target. */
const either =
  (name: Field): Read =>
  ({ root, call }) =>
    root[name] ?? call?.[name] ?? null;

const TEXTS: Readonly<Partial<Record<FilterField, Read>>> = {
  model: either('model'),
  provider: either('provider'),
  environment: ({ root }) => root.environment,
  status: ({ root }) => root.status,
  error: ({ root: { status, error_code } }) =>
    (FAILED_STATUSES as readonly string[]).includes(status) ? (error_code ?? status) : null,
  kind: ({ root }) => root.kind,
  name: ({ root }) => root.name,
  user: ({ userId }) => userId,
  session: either('session_id'),
  key: either('key_id'),
  operation: either('operation'),
  agent: either('agent'),
  agentVersion: either('agent_version'),
  tool: either('tool'),
  release: either('release'),
  prompt: either('prompt_name'),
  promptVersion: either('prompt_version'),
  finish: either('finish_reason'),
};
const NUMBERS: Readonly<Partial<Record<FilterField, (subject: EventSubject) => number | null>>> = {
  latency: ({ root, from, to }) => root.latency_ms ?? to - from,
  cost: ({ root, call }) => root.cost_usd ?? call?.cost_usd ?? null,
};

/** The test of a filter on traces. @throws AppError 400 for a field that a whole trace does not have */
export function subjectFilter(filter: string): (subject: EventSubject) => boolean {
  const tests = parseFilter(filter).map(testOf);
  return (subject) => tests.every((test) => test(subject));
}

function testOf(condition: Condition): (subject: EventSubject) => boolean {
  const { field, not } = condition;
  const number = NUMBERS[field];
  if (number !== undefined) {
    const test = numberTest(condition);
    return (subject) => test(number(subject)) !== not;
  }
  const read = field.startsWith('tag.') ? tagOf(field.slice('tag.'.length)) : TEXTS[field];
  if (read === undefined)
    throw badRequest(
      `filter: a rule cannot filter traces by ${field}; use ${[...Object.keys(TEXTS), ...Object.keys(NUMBERS)].join(', ')} or tag.NAME`,
    );
  const test = textTest(withStatuses(condition));
  return (subject) => {
    const value = read(subject);
    return test(value === null || value === undefined ? null : textOf(value)) !== not;
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const tagOf =
  (name: string): Read =>
  ({ root, call }) =>
    root.tags?.[name] ?? call?.tags?.[name] ?? null;

const withStatuses = (condition: Condition): Condition =>
  condition.field !== 'status' || condition.values === undefined
    ? condition
    : { ...condition, values: condition.values.flatMap((one) => (one === 'failed' ? FAILED_STATUSES : one)) };
