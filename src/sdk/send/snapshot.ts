import { type IsSensitive, REDACTED } from '../../lib/sensitive-keys.ts';

/** Replaces values that were too large, too deep or unreadable. */
export const OMITTED = '[OMITTED]';

/** Limits of one copy. The server accepts events of 32 levels and 1,000 keys. */
export type SnapshotLimits = { readonly depth: number; readonly keys: number; readonly characters: number };

/** For tags and metadata; both together fit into an event. */
export const FIELD_LIMITS: SnapshotLimits = { depth: 24, keys: 300, characters: 100_000 };

/** What is changed while copying: values of sensitive keys are redacted, texts are masked. */
export type Changes = {
  readonly hide?: IsSensitive | undefined;
  readonly mask?: ((text: string) => string) | undefined;
};

type Walk = Changes & {
  readonly limits: SnapshotLimits;
  left: number;
  room: number;
};

/**
 * Copies a value immediately, as JSON would represent it and within limits; later changes to the original have no
 * effect. Values whose key matches `hide` become `[REDACTED]`, at any depth. Circular references, values that are
 * too deep, and getters that throw become `[OMITTED]`. Never throws, unless `mask` does.
 */
export const snapshot = (value: unknown, limits: SnapshotLimits, changes: Changes = {}): unknown =>
  copy(value, { ...changes, limits, left: limits.keys, room: limits.characters }, []);

const copy = (value: unknown, walk: Walk, enclosing: object[]): unknown => {
  switch (typeof value) {
    case 'string':
      return copyText(value, walk);
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value.toString();
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      return value === null ? null : copyOrOmit(value, walk, enclosing);
    default:
      return undefined;
  }
};

const copyText = (given: string, walk: Walk): string => {
  // Before it is cut: half a card number would not be recognised.
  const text = walk.mask === undefined ? given : walk.mask(given);
  const kept = text.length > walk.room ? `${text.slice(0, Math.max(0, walk.room))}…` : text;
  walk.room -= kept.length;
  return wellFormed(kept);
};

/** The server refuses unpaired surrogates, because UTF-8 cannot represent them. */
const wellFormed = (text: string): string =>
  text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, '\ufffd');

const copyOrOmit = (given: object, walk: Walk, enclosing: object[]): unknown => {
  if (enclosing.length >= walk.limits.depth || enclosing.includes(given)) return OMITTED;
  enclosing.push(given);
  try {
    return copyObject(given, walk, enclosing);
  } catch {
    return OMITTED;
  } finally {
    enclosing.pop();
  }
};

const copyObject = (given: object, walk: Walk, enclosing: object[]): unknown => {
  if (ArrayBuffer.isView(given)) return OMITTED;
  if ('toJSON' in given && typeof given.toJSON === 'function') return copy(given.toJSON(), walk, enclosing);
  return Array.isArray(given) ? copyItems(given, walk, enclosing) : copyFields(given, walk, enclosing);
};

const copyItems = (items: readonly unknown[], walk: Walk, enclosing: object[]): unknown[] => {
  const result: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    if (walk.left-- <= 0) {
      result.push(OMITTED);
      break;
    }
    result.push(copy(items[i], walk, enclosing) ?? null);
  }
  return result;
};

const copyFields = (given: object, walk: Walk, enclosing: object[]): object => {
  // Without a prototype, so that `__proto__` is an ordinary key.
  const result: Record<string, unknown> = Object.create(null);
  for (const key in given) {
    if (!Object.hasOwn(given, key)) continue;
    if (walk.left-- <= 0) {
      result[OMITTED] = true;
      break;
    }
    result[wellFormed(key)] = walk.hide?.(key) === true ? REDACTED : readField(given, key, walk, enclosing);
  }
  return result;
};

const readField = (given: object, key: string, walk: Walk, enclosing: object[]): unknown => {
  try {
    return copy((given as Readonly<Record<string, unknown>>)[key], walk, enclosing);
  } catch {
    return OMITTED;
  }
};
