import type { CheckAction, CheckConfigs, CheckKind } from '../../../lib/guardrails/definition.ts';

export type Kind = CheckKind;

/** A setting: what people call it, and how it is written. A list has a value a line, or commas between them. */
export type Setting = {
  readonly name: string;
  readonly label: string;
  readonly as: 'text' | 'long' | 'number' | 'list' | 'lines' | 'json';
  readonly hint?: string;
  readonly isRequired?: true;
};

type KindInfo = {
  readonly label: string;
  /** What there is to know of it. */
  readonly hint?: string;
  readonly settings: readonly Setting[];
  readonly actions: readonly CheckAction[];
  readonly config: object;
};

const PLACED = ['redact', 'block', 'flag'] as const;
const WHOLE = ['block', 'flag'] as const;

/** The kinds of checks: what people call them, what they can do, and settings to begin with. */
export const KINDS: Readonly<Record<Kind, KindInfo>> = {
  pii: {
    label: 'Personal data',
    settings: [
      { name: 'types', label: 'Types', as: 'list', hint: 'Such as email, card, iban; empty: all' },
      {
        name: 'countries',
        label: 'Countries of phone numbers',
        as: 'list',
        hint: 'Such as US, DE; empty: US',
      },
      { name: 'minConfidence', label: 'Least confidence', as: 'number', hint: '0 to 1; 0.5 without it' },
    ],
    actions: PLACED,
    config: {},
  },
  secrets: {
    label: 'Secrets',
    settings: [
      {
        name: 'types',
        label: 'Types',
        as: 'list',
        hint: 'Such as openai_key, github_token, jwt; empty: all',
      },
      { name: 'minConfidence', label: 'Least confidence', as: 'number', hint: '0 to 1; 0.5 without it' },
    ],
    actions: PLACED,
    config: {},
  },
  prompt_injection: {
    label: 'Prompt injection',
    settings: [
      {
        name: 'threshold',
        label: 'Score from which it counts',
        as: 'number',
        hint: '0 to 1; 0.7 without it',
      },
    ],
    actions: PLACED,
    config: {},
  },
  regex: {
    label: 'Pattern',
    settings: [
      { name: 'pattern', label: 'Pattern', as: 'text', hint: 'RE2, without lookaround', isRequired: true },
      { name: 'flags', label: 'Flags', as: 'text', hint: 'i, m and s' },
    ],
    actions: PLACED,
    config: { pattern: 'order-\\d+' } satisfies CheckConfigs['regex'],
  },
  keywords: {
    label: 'Keywords',
    settings: [
      {
        name: 'words',
        label: 'Words and phrases',
        as: 'lines',
        hint: 'One a line, in any case',
        isRequired: true,
      },
    ],
    actions: PLACED,
    config: { words: ['confidential'] } satisfies CheckConfigs['keywords'],
  },
  urls: {
    label: 'Links',
    settings: [
      { name: 'allow', label: 'Allowed domains', as: 'list', hint: 'With those below them; empty: all' },
      { name: 'deny', label: 'Denied domains', as: 'list' },
    ],
    actions: PLACED,
    config: { deny: ['example.com'] } satisfies CheckConfigs['urls'],
  },
  length: {
    label: 'Length',
    settings: [
      { name: 'maxCharacters', label: 'Most characters', as: 'number' },
      { name: 'minCharacters', label: 'Fewest characters', as: 'number' },
      { name: 'maxWords', label: 'Most words', as: 'number' },
    ],
    actions: WHOLE,
    config: { maxCharacters: 20_000 } satisfies CheckConfigs['length'],
  },
  json_schema: {
    label: 'JSON Schema',
    hint: 'The text must be JSON that fits the schema.',
    settings: [{ name: 'schema', label: 'Schema', as: 'json', isRequired: true }],
    actions: WHOLE,
    config: { schema: { type: 'object' } } satisfies CheckConfigs['json_schema'],
  },
  language: {
    label: 'Language',
    settings: [
      { name: 'allow', label: 'Allowed languages', as: 'list', hint: 'Such as en, de', isRequired: true },
      { name: 'minConfidence', label: 'Least confidence', as: 'number', hint: '0 to 1; 0.6 without it' },
    ],
    actions: WHOLE,
    config: { allow: ['en'] } satisfies CheckConfigs['language'],
  },
  judge: {
    label: 'Judge (a model)',
    hint: 'Runs on the server; each check costs a call.',
    settings: [
      { name: 'instructions', label: 'What to look for', as: 'long', isRequired: true },
      { name: 'model', label: 'Model', as: 'text', hint: '<name>/<model>', isRequired: true },
      {
        name: 'threshold',
        label: 'Score from which it counts',
        as: 'number',
        hint: '0 to 1; 0.5 without it',
      },
      { name: 'timeoutMs', label: 'Time limit in ms', as: 'number' },
    ],
    actions: WHOLE,
    config: { instructions: 'The text insults somebody.', model: 'openai/gpt-4o-mini' },
  },
  webhook: {
    label: 'Webhook',
    hint: 'Gets { text } and answers { score } or { block }. Runs on the server; needs an admin.',
    settings: [
      { name: 'url', label: 'URL', as: 'text', isRequired: true },
      { name: 'types', label: 'Types that it may answer', as: 'list', hint: 'Such as insult' },
      { name: 'timeoutMs', label: 'Time limit in ms', as: 'number' },
    ],
    actions: WHOLE,
    config: { url: 'https://' },
  },
};

/** A check in the form; the values of its settings as they are written. */
export type DraftCheck = {
  readonly id: string;
  readonly kind: Kind;
  readonly action: CheckAction;
  readonly values: Readonly<Record<string, string>>;
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
    values: Object.fromEntries(
      KINDS[kind].settings.map((setting) => [
        setting.name,
        written((config as Record<string, unknown>)[setting.name], setting),
      ]),
    ),
  }));

function written(value: unknown, { as }: Setting): string {
  if (value === undefined) return '';
  if (as === 'json') return JSON.stringify(value, null, 2);
  return Array.isArray(value) ? value.join(as === 'lines' ? '\n' : ', ') : String(value);
}

/** The checks to save. @throws Error if a setting cannot be read */
export const toChecks = (drafts: readonly DraftCheck[]): Given[] =>
  drafts.map(({ kind, action, values }, i) => ({
    kind,
    action,
    config: Object.fromEntries(
      KINDS[kind].settings.flatMap((setting) => {
        const text = (values[setting.name] ?? '').trim();
        return text === '' ? [] : [[setting.name, readSetting(text, setting, i + 1)]];
      }),
    ),
  }));

function readSetting(text: string, { as, label }: Setting, check: number): unknown {
  switch (as) {
    case 'number':
      if (!Number.isFinite(Number(text))) throw new Error(`${label} of check ${check} must be a number`);
      return Number(text);
    case 'list':
    case 'lines':
      return text
        .split(as === 'lines' ? /\n/ : /[\n,]/)
        .map((one) => one.trim())
        .filter((one) => one !== '');
    case 'json':
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new Error(`${label} of check ${check} is not JSON: ${(error as Error).message}`);
      }
    default:
      return text;
  }
}
