import { detectInjection } from '../detect/content/injection.ts';
import { readJsonSchema } from '../detect/content/json-schema.ts';
import { createKeywordDetector } from '../detect/content/keywords.ts';
import { detectLanguage } from '../detect/content/language.ts';
import { compilePattern } from '../detect/content/pattern.ts';
import { createUrlDetector } from '../detect/content/urls.ts';
import type { Match } from '../detect/match.ts';
import { createPiiDetector } from '../detect/pii/detect-pii.ts';
import { createSecretDetector } from '../detect/secrets/detect-secrets.ts';
import type { Views } from '../detect/text/views.ts';
import type { CheckOf, LocalCheck, LocalKind } from './definition.ts';

/** What a check finds in a text. `score` is from 0 to 1; `isHit`: the check's action applies. */
export type Finding = {
  readonly isHit: boolean;
  readonly score: number;
  readonly matches: readonly Match[];
};

/** A check, ready to run. One of `whole` sees all texts of a message list as one; the others see each part. */
export type CompiledCheck = {
  readonly check: LocalCheck;
  readonly isWhole: boolean;
  /** @throws TimeLimitError and others if the check cannot be made */
  run(text: string, views: () => Views): Finding;
};

/** Score from which an attempt at injection counts. */
export const INJECTION_THRESHOLD = 0.7;
/** How sure the language must be to count as one that is not allowed. */
export const LANGUAGE_CONFIDENCE = 0.6;
/** Most milliseconds that a pattern of a check may take. */
export const PATTERN_BUDGET_MS = 50;

const ofMatches = (matches: readonly Match[]): Finding => ({
  isHit: matches.length > 0,
  score: Math.max(0, ...matches.slice(0, 1_000).map(({ confidence }) => confidence)),
  matches,
});
const whole = (type: string, text: string, score: number): Finding => ({
  isHit: true,
  score,
  matches: [{ type, start: 0, end: text.length, confidence: score }],
});
const NOTHING: Finding = { isHit: false, score: 0, matches: [] };

type Runner = CompiledCheck['run'];
type Compilers = { readonly [K in LocalKind]: (config: CheckOf<K>['config']) => Runner };

const COMPILERS: Compilers = {
  pii(config) {
    const detect = createPiiDetector(config);
    return (_, views) => ofMatches(detect(views()));
  },
  secrets(config) {
    const detect = createSecretDetector(config);
    return (_, views) => ofMatches(detect(views()));
  },
  prompt_injection({ threshold = INJECTION_THRESHOLD }) {
    return (_, views) => {
      const { score, matches } = detectInjection(views());
      return { isHit: score >= threshold, score, matches: score >= threshold ? matches : [] };
    };
  },
  regex({ pattern, flags }) {
    const compiled = compilePattern(pattern, flags);
    return (text) => ofMatches(compiled.find(text, PATTERN_BUDGET_MS));
  },
  keywords({ words }) {
    const detect = createKeywordDetector(words);
    return (_, views) => ofMatches(detect(views()));
  },
  length({ maxCharacters, minCharacters, maxWords }) {
    return (text) => {
      if (maxCharacters !== undefined && text.length > maxCharacters) return whole('too_long', text, 1);
      if (minCharacters !== undefined && text.length < minCharacters) return whole('too_short', text, 1);
      if (maxWords !== undefined && countWords(text) > maxWords) return whole('too_many_words', text, 1);
      return NOTHING;
    };
  },
  json_schema({ schema }) {
    const { check } = readJsonSchema(schema);
    return (text) => {
      const value = parseJson(text);
      if (value === undefined) return whole('not_json', text, 1);
      const [first] = check(value);
      return first === undefined ? NOTHING : whole(`schema_${first.keyword}`, text, 1);
    };
  },
  urls(config) {
    const detect = createUrlDetector(config);
    return (_, views) => ofMatches(detect(views()));
  },
  language({ allow, minConfidence = LANGUAGE_CONFIDENCE }) {
    return (text) => {
      const { language, confidence } = detectLanguage(text);
      if (language === null || confidence < minConfidence || allow.includes(language)) return NOTHING;
      return whole(`language_${language}`, text, confidence);
    };
  },
};

const WHOLE: ReadonlySet<LocalKind> = new Set(['length', 'json_schema', 'language']);

/**
 * Prepares a check once, for all texts.
 * @throws Error that says what is wrong with its settings
 */
export function compileCheck(check: LocalCheck): CompiledCheck {
  // Each kind has the compiler of its own settings; the two unions are parallel.
  const compile = COMPILERS[check.kind] as (config: LocalCheck['config']) => Runner;
  return { check, isWhole: WHOLE.has(check.kind), run: compile(check.config) };
}

/** A check that is compiled when it runs first: a pattern may take milliseconds. It fails where `compileCheck` throws. */
export function prepareCheck(check: LocalCheck): CompiledCheck {
  let compiled: CompiledCheck | undefined;
  const run: Runner = (text, views) => {
    compiled ??= compileCheck(check);
    return compiled.run(text, views);
  };
  return { check, isWhole: WHOLE.has(check.kind), run };
}

function countWords(text: string): number {
  const word = /\S+/g;
  let words = 0;
  while (word.test(text)) words++;
  return words;
}

/** Models wrap JSON in a code fence. */
function parseJson(text: string): unknown {
  const trimmed = text.trim();
  const inside = trimmed.startsWith('```')
    ? trimmed.replace(/^```\w{0,10}\s*/, '').replace(/```$/, '')
    : trimmed;
  try {
    return JSON.parse(inside);
  } catch {
    return undefined;
  }
}
