import type { CheckAction, CheckConfigs, CheckKind } from '../../../lib/guardrails/definition.ts';

export type Kind = CheckKind;
type KindInfo = {
  readonly label: string;
  /** What the settings may be. */
  readonly hint: string;
  readonly actions: readonly CheckAction[];
  readonly config: object;
};

const PLACED = ['redact', 'block', 'flag'] as const;
const WHOLE = ['block', 'flag'] as const;

/** The kinds of checks: what people call them, what they can do, and settings to begin with. */
export const KINDS: Readonly<Record<Kind, KindInfo>> = {
  pii: {
    label: 'Personal data',
    hint: '{} finds all types. types: ["email", "card", "iban", …], countries: ["US", "DE"] for phone numbers, minConfidence',
    actions: PLACED,
    config: {},
  },
  secrets: {
    label: 'Secrets',
    hint: '{} finds keys and tokens of all providers. types, minConfidence',
    actions: PLACED,
    config: {},
  },
  prompt_injection: {
    label: 'Prompt injection',
    hint: 'threshold: score from which it counts, 0 to 1; 0.7 without it',
    actions: PLACED,
    config: {},
  },
  regex: {
    label: 'Pattern',
    hint: 'pattern: RE2, without lookaround; flags: "i", "m", "s"',
    actions: PLACED,
    config: { pattern: 'order-\\d+' } satisfies CheckConfigs['regex'],
  },
  keywords: {
    label: 'Keywords',
    hint: 'words: words and phrases, in any case',
    actions: PLACED,
    config: { words: ['confidential'] } satisfies CheckConfigs['keywords'],
  },
  urls: {
    label: 'Links',
    hint: 'allow or deny: domains with those below them',
    actions: PLACED,
    config: { deny: ['example.com'] } satisfies CheckConfigs['urls'],
  },
  length: {
    label: 'Length',
    hint: 'maxCharacters, minCharacters, maxWords',
    actions: WHOLE,
    config: { maxCharacters: 20_000 } satisfies CheckConfigs['length'],
  },
  json_schema: {
    label: 'JSON Schema',
    hint: 'schema: the text must be JSON that fits it',
    actions: WHOLE,
    config: { schema: { type: 'object' } } satisfies CheckConfigs['json_schema'],
  },
  language: {
    label: 'Language',
    hint: 'allow: languages such as "en" and "de"; minConfidence',
    actions: WHOLE,
    config: { allow: ['en'] } satisfies CheckConfigs['language'],
  },
  judge: {
    label: 'Judge (a model)',
    hint: 'instructions in words, model as <name>/<model>, threshold, timeoutMs. Runs on the server; each check costs a call',
    actions: WHOLE,
    config: { instructions: 'The text insults somebody.', model: 'openai/gpt-4o-mini' },
  },
  webhook: {
    label: 'Webhook',
    hint: 'url that gets { text } and answers { score } or { block }; timeoutMs. Runs on the server; needs an admin',
    actions: WHOLE,
    config: { url: 'https://' },
  },
};

/** A check in the form; `config` is JSON. */
export type DraftCheck = {
  readonly id: string;
  readonly kind: Kind;
  readonly action: CheckAction;
  readonly config: string;
};

type Given = { readonly kind: Kind; readonly action: CheckAction; readonly config: object };

export const newCheck = (kind: Kind): Given => ({
  kind,
  action: KINDS[kind].actions[0] ?? 'flag',
  config: KINDS[kind].config,
});

export const toDrafts = (checks: readonly Given[]): DraftCheck[] =>
  checks.map(({ kind, action, config }) => ({
    id: crypto.randomUUID(),
    kind,
    action,
    config: JSON.stringify(config, null, 1).replace(/\n\s*/g, ' '),
  }));

/** The checks to save. @throws Error if settings are no JSON object */
export const toChecks = (drafts: readonly DraftCheck[]): Given[] =>
  drafts.map(({ kind, action, config }, i) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(config.trim() === '' ? '{}' : config);
    } catch (error) {
      throw new Error(`The settings of check ${i + 1} are not JSON: ${(error as Error).message}`);
    }
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw new Error(`The settings of check ${i + 1} must be a JSON object such as {}`);
    return { kind, action, config: parsed };
  });
