/** What a message consists of, in one form for all providers. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  /** `text` is null where the provider returns it encrypted. */
  | { readonly kind: 'reasoning'; readonly text: string | null }
  /** `url` is a `data:` or another address; null if only an id of the provider was sent. */
  | { readonly kind: 'image' | 'file'; readonly url: string | null; readonly name: string | null }
  | ToolCall
  | ToolResult
  /** Anything else; shown as JSON. */
  | { readonly kind: 'data'; readonly value: unknown };

export type ToolCall = {
  readonly kind: 'call';
  readonly id: string | null;
  readonly name: string;
  readonly args: unknown;
};

export type ToolResult = {
  readonly kind: 'result';
  readonly id: string | null;
  readonly name: string | null;
  readonly parts: readonly Part[];
  readonly failed: boolean;
};

/** `role` is `system`, `user`, `assistant`, `tool` or another as it was sent. */
export type Message = { readonly role: string; readonly parts: readonly Part[] };

export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first that is a text with something in it; null without one. */
export const firstText = (...values: readonly unknown[]): string | null =>
  values.find((value): value is string => typeof value === 'string' && value !== '') ?? null;

/** The value of a text that is JSON of an object or a list; anything else unchanged. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
