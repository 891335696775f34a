import type { Check, ToolCall } from '../definition.ts';

type ToolCheck = Extract<Check, { readonly kind: 'tool_call' }>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a value differs from the wanted one, which may lack fields that the value has; null if it does not. */
export function differenceOf(wanted: unknown, given: unknown, path = ''): string | null {
  if (isObject(wanted)) {
    if (!isObject(given)) return `${path || 'it'} is ${written(given)}`;
    for (const [name, value] of Object.entries(wanted)) {
      const found = differenceOf(
        value,
        Object.hasOwn(given, name) ? given[name] : undefined,
        path === '' ? name : `${path}.${name}`,
      );
      if (found !== null) return found;
    }
    return null;
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given) || given.length !== wanted.length)
      return `${path || 'it'} is ${written(given)}`;
    for (const [i, value] of wanted.entries()) {
      const found = differenceOf(value, given[i], `${path}[${i}]`);
      if (found !== null) return found;
    }
    return null;
  }
  return Object.is(wanted, given) ? null : `${path || 'it'} is ${written(given)}`;
}

function written(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Why calls do not fit; null if they do. */
export function judgeCalls(
  { tool, arguments: wanted = {}, mode = 'every' }: ToolCheck,
  calls: readonly ToolCall[],
): string | null {
  const own = calls.filter(({ name }) => name === tool);
  const differences = own.map((call) => differenceOf(wanted, parsed(call.arguments)));
  const fits = differences.filter((one) => one === null).length;
  if (mode === 'never')
    return fits === 0 ? null : `${tool} is called with ${written(own[differences.indexOf(null)]?.arguments)}`;
  if (own.length === 0) {
    const others = [...new Set(calls.map(({ name }) => name))].slice(0, 5).join(', ');
    return others === '' ? 'no tool is called' : `only ${others} is called`;
  }
  if (mode === 'some') return fits > 0 ? null : (differences[0] ?? null);
  return differences.find((one) => one !== null) ?? null;
}

/** OpenAI's arguments are JSON as text. */
function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
