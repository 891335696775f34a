/** When a guardrail looks: at what goes to a model, at what comes from it, or at both. */
export const STAGES = ['input', 'output', 'both'] as const;
export type Stage = (typeof STAGES)[number];
/** The side of a call that is checked. */
export type CheckedStage = Exclude<Stage, 'both'>;

/** What a check does when it finds something, and what came of a guardrail: the strongest of its checks. */
export const CHECK_ACTIONS = ['flag', 'redact', 'block'] as const;
export type CheckAction = (typeof CHECK_ACTIONS)[number];
export const OUTCOMES = ['allow', ...CHECK_ACTIONS] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What happens if a check cannot be made: the text passes, or it is blocked. */
export const FAILURE_MODES = ['open', 'closed'] as const;
export type FailureMode = (typeof FAILURE_MODES)[number];

/** The kinds of checks with their settings. Those of the last two leave the process. */
export type CheckConfigs = {
  readonly pii: {
    readonly types?: readonly string[] | undefined;
    readonly countries?: readonly string[] | undefined;
    readonly minConfidence?: number | undefined;
  };
  readonly secrets: {
    readonly types?: readonly string[] | undefined;
    readonly minConfidence?: number | undefined;
  };
  readonly prompt_injection: { readonly threshold?: number | undefined };
  readonly regex: { readonly pattern: string; readonly flags?: string | undefined };
  readonly keywords: { readonly words: readonly string[] };
  readonly length: {
    readonly maxCharacters?: number | undefined;
    readonly minCharacters?: number | undefined;
    readonly maxWords?: number | undefined;
  };
  readonly json_schema: { readonly schema: Readonly<Record<string, unknown>> };
  readonly urls: {
    readonly allow?: readonly string[] | undefined;
    readonly deny?: readonly string[] | undefined;
  };
  readonly language: {
    readonly allow: readonly string[];
    readonly minConfidence?: number | undefined;
  };
  readonly judge: {
    readonly instructions: string;
    readonly model: string;
    readonly threshold?: number | undefined;
    readonly timeoutMs?: number | undefined;
  };
  readonly webhook: {
    readonly url: string;
    readonly types?: readonly string[] | undefined;
    readonly timeoutMs?: number | undefined;
  };
};
export type CheckKind = keyof CheckConfigs;

/** The checks that need nothing but the text: they run in any process. */
export const LOCAL_KINDS = [
  'pii',
  'secrets',
  'prompt_injection',
  'regex',
  'keywords',
  'length',
  'json_schema',
  'urls',
  'language',
] as const;
export type LocalKind = (typeof LOCAL_KINDS)[number];
/** The checks that ask a model or another server. */
export const REMOTE_KINDS = ['judge', 'webhook'] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];
export const CHECK_KINDS = [...LOCAL_KINDS, ...REMOTE_KINDS] as const;

/** Checks that find places, which can be redacted. The others say something about the text as a whole. */
export const PLACED_KINDS = [
  'pii',
  'secrets',
  'prompt_injection',
  'regex',
  'keywords',
  'urls',
] as const satisfies readonly CheckKind[];

export type CheckOf<K extends CheckKind> = {
  [P in K]: { readonly kind: P; readonly config: CheckConfigs[P]; readonly action: CheckAction };
}[K];
export type Check = CheckOf<CheckKind>;
export type LocalCheck = CheckOf<LocalKind>;
export type RemoteCheck = CheckOf<RemoteKind>;

/** A guardrail in one of its versions. */
export type Guardrail = {
  readonly name: string;
  readonly version: number;
  readonly stage: Stage;
  readonly checks: readonly Check[];
  readonly failureMode: FailureMode;
  /** Environments in which it looks; empty: all. */
  readonly environments: readonly string[];
  /** The fraction of texts that it looks at, from 0 to 1. */
  readonly sampleRate: number;
  readonly enabled: boolean;
};

const STRENGTH: Readonly<Record<Outcome, number>> = { allow: 0, flag: 1, redact: 2, block: 3 };

/** The strongest of several outcomes. */
export const strongest = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.reduce<Outcome>((most, one) => (STRENGTH[one] > STRENGTH[most] ? one : most), 'allow');

export const isRemote = (check: Check): check is RemoteCheck =>
  check.kind === 'judge' || check.kind === 'webhook';

/** Most characters of all texts of a request: what longer ones cost would hold up others. */
export const MAX_CHARACTERS = 400_000;
