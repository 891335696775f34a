import { isObject } from './usage.ts';

const DEPTH = 8;

/**
 * An object with its keys in snake case, as the provider sent it: some clients rename `prompt_tokens` to
 * `promptTokens`. Objects of a class, such as dates, stay as they are.
 */
export const toWire = (value: unknown, depth = DEPTH): unknown => {
  if (!isObject(value) || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => toWire(item, depth - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toWire(inner, depth - 1),
    ]),
  );
};
