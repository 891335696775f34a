import { MAX_ATTRIBUTES } from './otlp-messages.ts';

/** The value of an attribute; null if it is empty or has no JSON form. */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

/** Attributes by name. Empty values are dropped, so that the next source is used. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

type JsonObject = { readonly [key: string]: unknown };

const MAX_DEPTH = 32;
const INTEGER = /^-?\d{1,20}$/;

export const NO_ATTRIBUTES: Attributes = new Map();

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of OTLP KeyValue by name. Returns an error message if it is invalid. */
export function readAttributes(list: unknown): Attributes | string {
  if (list === undefined || list === null) return NO_ATTRIBUTES;
  if (!Array.isArray(list)) return 'attributes must be an array';
  if (list.length > MAX_ATTRIBUTES) return `has more than ${MAX_ATTRIBUTES} attributes`;
  const attributes = new Map<string, AttributeValue>();
  for (const item of list as unknown[]) {
    if (!isObject(item) || typeof item.key !== 'string') return 'an attribute has no key';
    const value = readAnyValue(item.value, MAX_DEPTH);
    if (value === undefined) return `an attribute is nested deeper than ${MAX_DEPTH} levels`;
    if (value !== null && value !== '') attributes.set(item.key, value);
  }
  return attributes;
}

/**
 * An OTLP AnyValue in its JSON form (common/v1/common.proto). An int64 is a number or decimal text. Bytes, which no
 * convention uses, and NaN become null. Undefined if it is nested too deeply.
 */
function readAnyValue(value: unknown, depth: number): AttributeValue | undefined {
  if (!isObject(value)) return null;
  if (typeof value.stringValue === 'string') return value.stringValue;
  if (value.intValue !== undefined) return readInteger(value.intValue);
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  if (value.doubleValue !== undefined)
    return Number.isFinite(value.doubleValue) ? (value.doubleValue as number) : null;
  const { arrayValue, kvlistValue } = value;
  if (isObject(arrayValue)) return depth === 1 ? undefined : readArray(arrayValue.values, depth - 1);
  if (isObject(kvlistValue)) return depth === 1 ? undefined : readList(kvlistValue.values, depth - 1);
  return null;
}

/** A number if it is exact, otherwise its digits. */
function readInteger(value: unknown): AttributeValue {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : digitsOf(value);
  if (typeof value !== 'string' || !INTEGER.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The digits of a number that JSON.parse rounded; null if it is not an int64. */
const digitsOf = (value: number): string | null =>
  Math.abs(value) <= 2 ** 64 ? BigInt(value).toString() : null;

function readArray(values: unknown, depth: number): AttributeValue[] | undefined {
  const items: AttributeValue[] = [];
  for (const value of Array.isArray(values) ? (values as unknown[]) : []) {
    const item = readAnyValue(value, depth);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readList(values: unknown, depth: number): { [key: string]: AttributeValue } | undefined {
  const object: { [key: string]: AttributeValue } = Object.create(null);
  for (const pair of Array.isArray(values) ? (values as unknown[]) : []) {
    if (!isObject(pair) || typeof pair.key !== 'string') continue;
    const item = readAnyValue(pair.value, depth);
    if (item === undefined) return undefined;
    object[pair.key] = item;
  }
  return object;
}
