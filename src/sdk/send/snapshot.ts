import { type IsSensitive, REDACTED } from './redact.ts';

/** What stands in the place of what was too much, too deep or could not be read. */
export const OMITTED = '[OMITTED]';

/** Bounds of one copy. An event may have 32 levels and 1,000 keys (decisions.md, Ingest). */
export type SnapshotLimits = { readonly depth: number; readonly keys: number; readonly characters: number };

/** For tags and metadata, so that both fit into an event together. */
export const FIELD_LIMITS: SnapshotLimits = { depth: 24, keys: 300, characters: 100_000 };

type Walk = {
  readonly limits: SnapshotLimits;
  readonly hide: IsSensitive | undefined;
  left: number;
  room: number;
};

/**
 * Copies a value as JSON would hold it, at once and within bounds: nothing of the original is kept, so it
 * may change afterwards. Values under keys for which `hide` holds become `[REDACTED]`, at any depth;
 * cycles, what lies too deep, and getters that throw become `[OMITTED]`. It never throws.
 */
export const snapshot = (value: unknown, limits: SnapshotLimits, hide?: IsSensitive): unknown =>
  copy(value, { limits, hide, left: limits.keys, room: limits.characters }, []);

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

const copyText = (text: string, walk: Walk): string => {
  const kept = text.length > walk.room ? `${text.slice(0, Math.max(0, walk.room))}…` : text;
  walk.room -= kept.length;
  return wellFormed(kept);
};

/** The server takes no half surrogate pairs: UTF-8 cannot hold them. */
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
  // Without a prototype, so that `__proto__` is a key like another.
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
