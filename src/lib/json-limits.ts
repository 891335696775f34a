/** Bounds on a parsed JSON value. The value itself is depth 1; keys are counted in all its objects. */
export type JsonLimits = { readonly maxDepth: number; readonly maxKeys: number };

/** The limits of one event. */
export const EVENT_JSON_LIMITS: JsonLimits = { maxDepth: 32, maxKeys: 1_000 };

/** State of the walk. `path` is filled from the innermost key outward once a problem is found. */
type Walk = { readonly limits: JsonLimits; keys: number; overLimit: boolean; readonly path: string[] };

const scalarProblem = (value: unknown): string | null => {
  if (typeof value === 'string') return value.isWellFormed() ? null : 'contains an unpaired surrogate';
  // JSON has no infinity, but 1e400 parses as infinity and would be stored as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number too large to store';
  return null;
};

const nestedProblem = (value: unknown, walk: Walk, depth: number): string | null => {
  if (typeof value !== 'object' || value === null) return scalarProblem(value);
  if (depth > walk.limits.maxDepth) {
    walk.overLimit = true;
    return `is nested deeper than ${walk.limits.maxDepth} levels`;
  }
  return Array.isArray(value) ? arrayProblem(value, walk, depth) : objectProblem(value, walk, depth);
};

const arrayProblem = (items: readonly unknown[], walk: Walk, depth: number): string | null => {
  for (let i = 0; i < items.length; i++) {
    const problem = nestedProblem(items[i], walk, depth + 1);
    if (problem !== null) {
      walk.path.push(`[${i}]`);
      return problem;
    }
  }
  return null;
};

const objectProblem = (value: object, walk: Walk, depth: number): string | null => {
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields);
  walk.keys += keys.length;
  if (walk.keys > walk.limits.maxKeys) {
    walk.overLimit = true;
    return `has more than ${walk.limits.maxKeys} keys`;
  }
  for (const key of keys) {
    if (!key.isWellFormed()) return 'has a key that contains an unpaired surrogate';
    const problem = nestedProblem(fields[key], walk, depth + 1);
    if (problem !== null) {
      walk.path.push(key);
      return problem;
    }
  }
  return null;
};

/** `tags.list[3].x`, cut to 80 characters, always valid Unicode. */
const pathText = (path: readonly string[], root: string): string => {
  let text = '';
  for (let i = path.length - 1; i >= 0 && text.length <= 80; i--) {
    const step = path[i] ?? '';
    text += text === '' || step.startsWith('[') ? step : `.${step}`;
  }
  if (text === '') return root;
  return (text.length > 80 ? `${text.slice(0, 79)}…` : text).toWellFormed();
};

/**
 * Finds what would make a parsed JSON value expensive or impossible to store: nesting deeper than `maxDepth`, more
 * than `maxKeys` keys in total, numbers beyond a double, and unpaired surrogates (written as `\ud800`), which UTF-8
 * cannot represent.
 * @param name name of the whole value in a message, for example `event`.
 * @returns one sentence that names the place, or null if there is no problem.
 */
export const jsonProblem = (value: unknown, limits: JsonLimits, name = 'value'): string | null => {
  const walk: Walk = { limits, keys: 0, overLimit: false, path: [] };
  const problem = nestedProblem(value, walk, 1);
  if (problem === null) return null;
  // The limits apply to the whole value, so the message names it and not the place.
  return `${walk.overLimit ? name : pathText(walk.path, name)} ${problem}`;
};
