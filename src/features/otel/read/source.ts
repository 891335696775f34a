import { MAX_TOKENS } from '../../../core/events/contract.ts';
import { isObject } from './attributes.ts';
import type { AttributeValue, Span } from './span.ts';

/** Where a value is looked for: an attribute of the span, or one of the forms below. */
export type Source =
  | string
  /** An attribute of the resource that sent the span. */
  | { readonly at: 'resource'; readonly name: string }
  /** What a path of keys leads to in an attribute that holds an object as JSON text. */
  | { readonly at: 'json'; readonly name: string; readonly path: readonly string[] }
  /** An attribute in seconds, for a field in milliseconds. */
  | { readonly at: 'seconds'; readonly name: string };

/** Where a field is looked for, in this order, and how it is read: null where a value makes no sense. */
export type Rule<T> = {
  readonly field: string;
  readonly from: readonly Source[];
  readonly read: (value: unknown) => T | null;
};

export const resource = (name: string): Source => ({ at: 'resource', name });
export const json = (name: string, ...path: string[]): Source => ({ at: 'json', name, path });
export const seconds = (name: string): Source => ({ at: 'seconds', name });

/** JSON text longer than this is content (a request with its tools), and is not parsed for a detail. */
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

/** The first value of a rule that is there and makes sense; the span's `note` hears where it was. */
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

/** What a source holds; undefined where it is not there. */
export function lookUp(span: Span, source: Source): unknown {
  if (typeof source === 'string') return span.attributes.get(source);
  if (source.at === 'resource') return span.resource.get(source.name);
  const value = span.attributes.get(source.name);
  if (value === undefined) return undefined;
  if (source.at === 'json') return follow(jsonOf(span, source.name, value), source.path);
  const inSeconds = toNumber(value);
  return inSeconds === null ? undefined : inSeconds * 1000;
}

/** Each JSON attribute of a span is parsed once, however many rules look into it. */
function jsonOf(span: Span, name: string, value: AttributeValue): unknown {
  if (span.json.has(name)) return span.json.get(name);
  const object = parsed(value);
  span.json.set(name, object);
  return object;
}

function follow(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found ?? undefined;
}

/** The value of an attribute that may be JSON text: parsed where it is an object, a list or a text. */
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

/** Text that the store takes: without NUL and half characters, cut at `max`, null when nothing is left. */
export function cleanText(value: unknown, max: number): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const cut = value.length > max ? value.slice(0, max) : value;
  const clean = cut.includes('\0') ? cut.replaceAll('\0', '') : cut;
  return clean.trim() === '' ? null : clean.toWellFormed();
}

/** A number, also one that was sent as text; null for anything else. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A count of tokens from a number or its digits. Negative and absurd ones are none; adding 0 makes -0 a 0. */
export function toTokens(value: unknown): number | null {
  const number = inRange(toNumber(value), 0, MAX_TOKENS);
  return number === null ? null : Math.floor(number) + 0;
}

function inRange(number: number | null, least: number, most: number): number | null {
  return number !== null && number >= least && number <= most ? number : null;
}
