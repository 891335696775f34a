import type { PromptMessage } from '../../lib/prompts/fill-template.ts';
import type { VariableNames } from './variable-names.ts';

/** What to use until the server was reached: a text, messages, or either with a config. */
export type PromptFallback =
  | string
  | readonly PromptMessage[]
  | { readonly template: string; readonly config?: PromptConfig }
  | { readonly messages: readonly PromptMessage[]; readonly config?: PromptConfig };

/** Settings of a prompt beside its text, and whatever else its author put there. */
export type PromptConfig = {
  readonly model?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly responseFormat?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
};

export type PromptKind = 'text' | 'chat';

/** Options of `client.prompt`. */
export type PromptOptions<F extends PromptFallback | undefined, K extends PromptKind> = {
  /** Label to get. Default: `production`. */
  label?: string | undefined;
  /** Version to get instead of a label. */
  version?: number | undefined;
  /** `chat` for a prompt of messages. Default: what the fallback is, otherwise `text`. */
  type?: K | undefined;
  /** Used until the server was reached for the first time. Without it, `prompt` rejects then. */
  fallback?: F | undefined;
  /** How long a fetched prompt is used before it is fetched again in the background, in milliseconds. Default: 60,000. */
  ttl?: number | undefined;
  /**
   * User, session or any other text that always gets the same version of a label with several. Default: the user or
   * the session of `with`, `span` or `trace`; without any, each call draws a version.
   */
  stickyKey?: string | undefined;
};

type TextOf<F> = F extends string
  ? F
  : F extends { readonly template: infer T extends string }
    ? T
    : F extends readonly { readonly content: infer C extends string }[]
      ? C
      : F extends { readonly messages: readonly { readonly content: infer C extends string }[] }
        ? C
        : string;
type NamesOf<T extends string> = T extends string ? VariableNames<T> : never;

/** The variables of a fallback that is a literal; any otherwise. */
export type ValuesOf<F> =
  string extends NamesOf<TextOf<F>>
    ? Readonly<Record<string, unknown>>
    : { readonly [N in NamesOf<TextOf<F>>]: string | number | bigint | boolean | object };

/** Whether a fallback is a text or messages. */
export type KindOf<F, K extends PromptKind> = F extends string | { readonly template: string }
  ? 'text'
  : F extends readonly PromptMessage[] | { readonly messages: readonly PromptMessage[] }
    ? 'chat'
    : K;

/** A version of a prompt of the library. */
export type LibraryPrompt<V = Readonly<Record<string, unknown>>, K extends PromptKind = 'text'> = {
  readonly name: string;
  /** Null for the fallback. */
  readonly version: number | null;
  /** The label that was asked for; null for a version. */
  readonly label: string | null;
  readonly type: K;
  readonly config: PromptConfig;
  /** Names of its variables. */
  readonly variables: readonly string[];
  /** Whether this is the fallback of the call and not from the server. */
  readonly isFallback: boolean;
  /**
   * Fills the variables. Calls that are made with exactly these texts carry the prompt's name and version.
   * @throws Error that names the variables without a value
   */
  compile(
    ...values: string extends keyof V ? [values?: V] : keyof V extends never ? [values?: V] : [values: V]
  ): K extends 'chat' ? PromptMessage[] : string;
  /** Runs a function in which every recorded call carries the prompt's name and version, whatever its texts are. */
  run<T>(fn: () => T): T;
};
