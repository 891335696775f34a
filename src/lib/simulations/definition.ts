import type { LocalKind } from '../guardrails/definition.ts';

type Json = Readonly<Record<string, unknown>>;
type OneOrMore = string | readonly string[];

/** A deterministic check of an answer. In `criteria` it looks at all answers of a conversation together. */
export type Check =
  | {
      readonly kind: 'contains';
      readonly texts: OneOrMore;
      /** Default: `all`. */
      readonly mode?: 'all' | 'any' | 'none' | undefined;
      readonly ignoreCase?: boolean | undefined;
    }
  | {
      readonly kind: 'regex';
      /** RE2: linear time, without lookaround and backreferences. */
      readonly pattern: string;
      /** Default: `matches`. */
      readonly mode?: 'matches' | 'absent' | undefined;
      readonly ignoreCase?: boolean | undefined;
    }
  | { readonly kind: 'json_schema'; readonly schema: Json }
  | {
      readonly kind: 'tool_call';
      readonly tool: string;
      /** Arguments that the call must have; others may be there as well. */
      readonly arguments?: Json | undefined;
      /** `every`: the tool is called, and each of its calls fits. `some`: one fits. `never`: none does. Default: `every`. */
      readonly mode?: 'every' | 'some' | 'never' | undefined;
    }
  | {
      readonly kind: 'guardrail';
      /** A guardrail of the project. */
      readonly name?: string | undefined;
      /** A detector with its settings, which needs no server. */
      readonly detect?: LocalKind | undefined;
      readonly config?: Json | undefined;
    }
  | {
      readonly kind: 'leak';
      /** Texts that must not be repeated, such as the system prompt. Default: what looks like a system prompt. */
      readonly texts?: OneOrMore | undefined;
      /** So many words in a row count as repeated. Default: 8. */
      readonly words?: number | undefined;
    }
  | { readonly kind: 'latency'; readonly maxMs: number }
  | { readonly kind: 'cost'; readonly maxUsd: number };

/** A check of a scenario. `turn`: after each turn, only after the last one, or after the one with this number. */
export type TurnCheck = Check & { readonly turn?: 'each' | 'last' | number | undefined };

/** What must hold at the end: a check over all answers, or a sentence that a model judges. */
export type Criterion =
  | Check
  | { readonly kind: 'judge'; readonly criterion: string; readonly model?: string | undefined };

/** Where the parts of a reply are, as paths such as `choices.0.message.content`. */
export type ReplyMapping = {
  readonly text?: string | undefined;
  /** Of an event of a stream: the next piece of the text. */
  readonly delta?: string | undefined;
  readonly toolCalls?: string | undefined;
  /** Inside of a tool call. Defaults: `name` and `arguments`. */
  readonly toolName?: string | undefined;
  readonly toolArguments?: string | undefined;
  readonly costUsd?: string | undefined;
  readonly traceId?: string | undefined;
};

type Remote = {
  readonly url: string;
  /** Values may name a secret of the suite: `Bearer ${AGENT_KEY}`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly stream?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  /** The target answers a known `Idempotency-Key` with the same reply, so a turn whose answer was lost is sent again. */
  readonly idempotent?: boolean | undefined;
};
type Tools = {
  /** What each tool answers, by its name. Without one, a turn ends with the call. */
  readonly toolResults?: Json | undefined;
};

export type Target =
  | (Remote & {
      readonly kind: 'http';
      /** JSON with `{{message}}`, `{{messages}}`, `{{conversationId}}`, `{{turn}}`, `{{scenario}}`, `{{seed}}`. */
      readonly body?: unknown;
      readonly reply?: ReplyMapping | undefined;
    })
  | (Remote &
      Tools & {
        readonly kind: 'openai';
        readonly model: string;
        readonly system?: string | undefined;
        readonly tools?: readonly Json[] | undefined;
        /** More fields of the request, such as `temperature`. */
        readonly params?: Json | undefined;
      })
  | (Tools & {
      readonly kind: 'prompt';
      readonly prompt: string;
      readonly version?: number | undefined;
      readonly label?: string | undefined;
      readonly model?: string | undefined;
      readonly variables?: Json | undefined;
    })
  | { readonly kind: 'function' };

/** A message of a script. Of several texts the seed chooses one. `checks` look at the answer to it. */
export type ScriptLine =
  | string
  | { readonly user: OneOrMore; readonly checks?: readonly Check[] | undefined };

/** A message of the user with the checks of its answer. */
export type Line = { readonly user: string; readonly checks: readonly Check[] };

type Shared = {
  readonly target?: Target | undefined;
  readonly checks?: readonly TurnCheck[] | undefined;
  readonly criteria?: readonly Criterion[] | undefined;
  readonly repetitions?: number | undefined;
  readonly maxTurns?: number | undefined;
  /** Model that plays users, as `<name>/<model>`; `none` for scripted ones. */
  readonly userModel?: string | undefined;
  /** Model that judges. */
  readonly judgeModel?: string | undefined;
  /** In USD. Of a suite: the run pauses. Of a scenario: the conversation fails. */
  readonly costCap?: number | undefined;
};

export type Scenario = Shared & {
  readonly name: string;
  readonly goal?: string | undefined;
  /** A ready persona, or who the user is, in words, for a model that plays them. */
  readonly persona?: string | undefined;
  readonly openingMessages?: readonly string[] | undefined;
  readonly script?: readonly ScriptLine[] | undefined;
};

/** Scenarios with what they have in common, as a file or in the product. */
export type Suite = Shared & {
  readonly name: string;
  readonly description?: string | undefined;
  /** Conversations at a time. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Chooses attacks and variants; the same seed chooses the same. Default: 1. */
  readonly seed?: number | undefined;
  readonly scenarios: readonly Scenario[];
};

/** Users who attack. They need no model, and can be played by one. */
export const PERSONAS = ['injection', 'off_topic', 'data_fishing'] as const;
export type Persona = (typeof PERSONAS)[number];
export const isPersona = (name: string | undefined): name is Persona =>
  (PERSONAS as readonly (string | undefined)[]).includes(name);

export const LIMITS = {
  scenarios: 500,
  turns: 50,
  repetitions: 100,
  checks: 50,
  concurrency: 32,
  text: 20_000,
  /** Conversations of a run. */
  conversations: 10_000,
} as const;

/** A tool that a target called. `result`: what it was told the tool answered. */
export type ToolCall = {
  readonly name: string;
  readonly arguments: unknown;
  readonly id?: string | undefined;
  readonly result?: string | undefined;
};

/** What a check says. */
export type Verdict = {
  /** The check in words. */
  readonly check: string;
  readonly passed: boolean;
  /** Why; null if there is nothing to add. */
  readonly reason: string | null;
};

/** What a target answered. Costs in USD, null if unknown. `error`: why it did not answer. */
export type Reply = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly latencyMs: number;
  readonly costUsd: number | null;
  readonly traceId: string | null;
  readonly error: string | null;
};

export type Turn = Reply & {
  /** From 1. */
  readonly no: number;
  readonly user: string;
  /** What a model cost that wrote the message; 0 without one. */
  readonly userCostUsd: number | null;
  readonly verdicts: readonly Verdict[];
};

/** `lost`: a crash of the server lost the answer to a turn that must not be sent twice. Not part of the pass rate. */
export const OUTCOMES = ['passed', 'failed', 'lost'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type Conversation = {
  readonly scenario: string;
  readonly repetition: number;
  readonly outcome: Outcome;
  readonly turns: readonly Turn[];
  readonly criteria: readonly Verdict[];
};

/** Why a conversation failed, at most a few. */
export function failuresOf({ turns, criteria }: Pick<Conversation, 'turns' | 'criteria'>): string[] {
  const say = ({ check, reason }: Verdict): string => (reason === null ? check : `${check}: ${reason}`);
  return [
    ...turns.flatMap(({ no, verdicts }) =>
      verdicts.filter(({ passed }) => !passed).map((verdict) => `turn ${no}: ${say(verdict)}`),
    ),
    ...criteria.filter(({ passed }) => !passed).map(say),
  ];
}
