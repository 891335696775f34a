import { MAX_TOKENS } from '../../core/events/contract.ts';
import { isObject } from './attributes.ts';
import type { AttributeValue, Span } from './span.ts';

/** Where a value is looked for: an attribute of the span, or one of the forms below. */
export type Source =
  | string
  | { readonly resource: string }
  | { readonly json: string; readonly key: string }
  | { readonly seconds: string };

/** An attribute of the resource that sent the span. */
export const resource = (name: string): Source => ({ resource: name });
/** A key of an attribute that holds an object as JSON text. */
export const json = (name: string, key: string): Source => ({ json: name, key });
/** An attribute in seconds, for a field in milliseconds. */
export const seconds = (name: string): Source => ({ seconds: name });

/** JSON text longer than this is content (a request with its tools), and is not parsed for a detail. */
const MAX_JSON_CHARS = 100_000;
const MAX_MILLISECONDS = 1e10;

/** The value of an attribute that may be JSON text: parsed where it is an object or a list. */
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

/** What a source holds; undefined where it is not there. */
export function lookUp(span: Span, source: Source): unknown {
  if (typeof source === 'string') return span.attributes.get(source);
  if ('resource' in source) return span.resource.get(source.resource);
  if ('json' in source) {
    const object = parsed(span.attributes.get(source.json));
    return isObject(object) && Object.hasOwn(object, source.key) ? object[source.key] : undefined;
  }
  const value = toNumber(span.attributes.get(source.seconds));
  return value === null ? undefined : value * 1000;
}

/** Text that the store takes: without NUL and half characters, cut at `max`, null when nothing is left. */
export function cleanText(value: unknown, max: number): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  const cut = value.length > max ? value.slice(0, max) : value;
  const text = cut.includes('\0') ? cut.replaceAll('\0', '') : cut;
  return text.trim() === '' ? null : text.toWellFormed();
}

/** A number, also one that was sent as text; null for anything else. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A count of tokens from a number or its digits. Negative and absurd ones are none; adding 0 makes -0 a 0. */
export function toTokens(value: unknown): number | null {
  const number = toNumber(value);
  return number !== null && number >= 0 && number <= MAX_TOKENS ? Math.floor(number) + 0 : null;
}

export function firstText(
  span: Span,
  { from, max }: { from: readonly Source[]; max: number },
): string | null {
  for (const source of from) {
    const text = cleanText(lookUp(span, source), max);
    if (text !== null) return text;
  }
  return null;
}

export function firstTokens(span: Span, sources: readonly Source[]): number | null {
  for (const source of sources) {
    const count = toTokens(lookUp(span, source));
    if (count !== null) return count;
  }
  return null;
}

/** Not negative, and within what an event can hold. */
export function firstMilliseconds(span: Span, sources: readonly Source[]): number | null {
  for (const source of sources) {
    const value = toNumber(lookUp(span, source));
    if (value !== null && value >= 0 && value <= MAX_MILLISECONDS) return value;
  }
  return null;
}

export function firstFlag(span: Span, sources: readonly Source[]): boolean | null {
  for (const source of sources) {
    const value = lookUp(span, source);
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
  }
  return null;
}
