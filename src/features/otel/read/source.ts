import { MAX_TOKENS } from '../../../core/events/contract.ts';
import type { AttributeValue } from './attributes.ts';
import type { Source, Span } from './span.ts';

/** Sources of a field in order of precedence, and how to read a value; null if it is invalid. */
export type Rule<T> = {
  readonly field: string;
  readonly from: readonly Source[];
  readonly read: (value: unknown) => T | null;
};

export const resource = (name: string): Source => ({ at: 'resource', name });
export const json = (name: string, ...path: string[]): Source => ({ at: 'json', name, path });
export const seconds = (name: string): Source => ({ at: 'seconds', name });

/** Longer JSON text is content (a request with its tools) and is not parsed. */
const MAX_JSON_CHARS = 100_000;
const MAX_MILLISECONDS = 1e10;

/** A text field, cut at `max` characters. */
export const text = (field: string, max: number, from: readonly Source[]): Rule<string> => ({
  field,
  from,
  read: (value) => cleanText(value, max),
});
/** A count of tokens. */
export const tokens = (field: string, from: readonly Source[]): Rule<number> => ({
  field,
  from,
  read: toTokens,
});
/** A duration in milliseconds that an event can hold. */
export const milliseconds = (field: string, from: readonly Source[]): Rule<number> => ({
  field,
  from,
  read: (value) => inRange(toNumber(value), 0, MAX_MILLISECONDS),
});
export const flag = (field: string, from: readonly Source[]): Rule<boolean> => ({
  field,
  from,
  read: (value) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : null;
  },
});

/** The first valid value of a rule; its source is reported to the span's `note`. */
export function readField<T>(span: Span, rule: Rule<T>): T | null {
  for (const source of rule.from) {
    const found = lookUp(span, source);
    if (found === undefined) continue;
    const value = rule.read(found);
    if (value === null) continue;
    span.note?.(rule.field, source, value);
    return value;
  }
  return null;
}

/** The value of a source; undefined if missing. */
export function lookUp(span: Span, source: Source): unknown {
  if (typeof source === 'string') return span.attributes.get(source);
  if (source.at === 'resource') return span.resource.get(source.name);
  const value = span.attributes.get(source.name);
  if (value === undefined) return undefined;
  if (source.at === 'json') return follow(jsonOf(span, source.name, value), source.path);
  const inSeconds = toNumber(value);
  return inSeconds === null ? undefined : inSeconds * 1000;
}

/** Parses each JSON attribute of a span once, however many rules read it. */
function jsonOf(span: Span, name: string, value: AttributeValue): unknown {
  if (span.json.has(name)) return span.json.get(name);
  const object = parsed(value);
  span.json.set(name, object);
  return object;
}

function follow(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as { readonly [key: string]: unknown })[key];
  }
  return found ?? undefined;
}

/** The value of an attribute that may be JSON text: parsed if it is an object, a list or a text. */
export function parsed(value: AttributeValue | undefined): unknown {
  if (typeof value !== 'string') return value;
  const first = value.charCodeAt(0);
  const isJson = first === 0x7b || first === 0x5b || first === 0x22;
  if (!isJson || value.length > MAX_JSON_CHARS) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Text that the store accepts: without NUL and unpaired surrogates, cut at `max`, null if empty. */
export function cleanText(value: unknown, max: number): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const cut = value.length > max ? value.slice(0, max) : value;
  const clean = cut.includes('\0') ? cut.replaceAll('\0', '') : cut;
  return clean.trim() === '' ? null : clean.toWellFormed();
}

/** A number, or a number sent as text; null for anything else. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A count of tokens from a number or its digits. Negative and absurd values are ignored; adding 0 turns -0 into 0. */
export function toTokens(value: unknown): number | null {
  const number = inRange(toNumber(value), 0, MAX_TOKENS);
  return number === null ? null : Math.floor(number) + 0;
}

function inRange(number: number | null, least: number, most: number): number | null {
  return number !== null && number >= least && number <= most ? number : null;
}
