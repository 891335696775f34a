/** What an evaluator judges. Input, output, expected and context are text or JSON; undefined or null without one. */
export type Sample = {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly expected?: unknown;
  readonly context?: unknown;
  /** In milliseconds. */
  readonly latencyMs?: number | null | undefined;
  readonly costUsd?: number | null | undefined;
};

/** Text as it is; other values as JSON. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value, or what a text of JSON says. */
export function asJson(value: unknown): { readonly ok: boolean; readonly value: unknown } {
  if (typeof value !== 'string') return { ok: true, value };
  try {
    return { ok: true, value: JSON.parse(value) };
  } catch {
    return { ok: false, value: undefined };
  }
}

/** The part of an output that a path such as `answer.0.text` names; undefined if there is none. */
export function partOf(output: unknown, path: string | undefined): unknown {
  if (path === undefined) return output;
  let found: unknown = asJson(output).value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
