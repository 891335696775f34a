import { TimeLimitError } from '../detect/content/pattern.ts';
import type { Match } from '../detect/match.ts';
import { type Views, viewsOf } from '../detect/text/views.ts';
import { nextTurn } from '../pace/next-turn.ts';
import { type CompiledCheck, compileCheck, type Finding, prepareCheck } from './compile-check.ts';
import {
  type Check,
  type CheckAction,
  type CheckedStage,
  type CheckKind,
  type Guardrail,
  isRemote,
  type LocalCheck,
  MAX_CHARACTERS,
  type Outcome,
  type RemoteCheck,
  strongest,
} from './definition.ts';
import { redactText } from './redact.ts';
import { type TextPart, textPartsOf, withTexts } from './text-parts.ts';

/** A guardrail whose checks are ready to run, in the order of its definition. */
export type CompiledGuardrail = {
  readonly guardrail: Guardrail;
  readonly checks: readonly (CompiledCheck | { readonly check: RemoteCheck })[];
};

/** A place that a check found. `part`: which text of the messages, by its number; 0 for a text alone. */
export type CheckMatch = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly part: number;
};

/** What came of one check. `error`: why it could not be made; then the failure mode decides. */
export type CheckResult = {
  readonly guardrail: string;
  readonly version: number;
  readonly check: CheckKind;
  readonly action: Outcome;
  readonly score: number;
  readonly matches: readonly CheckMatch[];
  readonly error?: string;
  readonly durationMs: number;
};

/** What came of all guardrails. `content`: the text or messages to use; null if blocked. */
export type Verdict<C = unknown> = {
  readonly action: Outcome;
  readonly content: C | null;
  readonly results: readonly CheckResult[];
  readonly durationMs: number;
};

/** @throws Error that says what is wrong with the settings of a check */
export const compileGuardrail = (guardrail: Guardrail): CompiledGuardrail =>
  withChecks(guardrail, compileCheck);

/** The same of a guardrail that compiled before: each check is compiled when it runs first. */
export const prepareGuardrail = (guardrail: Guardrail): CompiledGuardrail =>
  withChecks(guardrail, prepareCheck);

const withChecks = (
  guardrail: Guardrail,
  compile: (check: LocalCheck) => CompiledCheck,
): CompiledGuardrail => ({
  guardrail,
  checks: guardrail.checks.map((check) => (isRemote(check) ? { check } : compile(check))),
});

/** Asks a model or a server about a text. It rejects if the check cannot be made. */
export type RemoteCheckRunner = (check: RemoteCheck, text: string, guardrail: Guardrail) => Promise<Finding>;

/** Where and when a text is checked. `sample`: a number from 0 to 1 that decides which guardrails look. */
export type Occasion = {
  readonly stage: CheckedStage;
  readonly environment?: string | undefined;
  readonly sample: number;
};

/** The guardrails that look at a text, by stage, environment and sample. */
export const applicable = <G extends { readonly guardrail: Guardrail }>(
  guardrails: readonly G[],
  { stage, environment, sample }: Occasion,
): G[] =>
  guardrails.filter(
    ({ guardrail: { enabled, stage: at, environments, sampleRate } }) =>
      enabled &&
      (at === 'both' || at === stage) &&
      (environments.length === 0 || (environment !== undefined && environments.includes(environment))) &&
      (sampleRate >= 1 || sample < sampleRate),
  );

/** The texts of a request, read once for all checks. */
type Read = {
  readonly parts: readonly TextPart[];
  readonly views: readonly (() => Views)[];
  readonly all: string;
};

function readTexts(content: unknown): Read {
  const parts = textPartsOf(content);
  const views = parts.map(({ text }) => {
    let made: Views | undefined;
    return () => (made ??= viewsOf(text));
  });
  return { parts, views, all: parts.map(({ text }) => text).join('\n') };
}

/** Instructions of the application: they may say what an attacker would say. */
const TRUSTED_ROLES = new Set(['system', 'developer', 'assistant', 'model']);

type Run = {
  readonly finding: Finding;
  readonly matches: readonly CheckMatch[];
  readonly places: readonly Place[];
};
type Place = { readonly part: TextPart; readonly matches: readonly Match[] };

/** A finding about all texts as one: it has no place in any of them. */
const ofWhole = (finding: Finding): Run => ({
  finding,
  matches: finding.matches.map(({ type, start, end }) => ({ type, start, end, part: 0 })),
  places: [],
});

function runLocal(
  { check, isWhole, run }: CompiledCheck,
  { parts, views, all }: Read,
  stage: CheckedStage,
): Run {
  if (isWhole) {
    return ofWhole(run(all, () => viewsOf(all)));
  }
  const skipsTrusted = check.kind === 'prompt_injection' && stage === 'input';
  const found = parts.flatMap((part, i) => {
    if (skipsTrusted && part.role !== null && TRUSTED_ROLES.has(part.role)) return [];
    const view = views[i] ?? (() => viewsOf(part.text));
    return [{ part, i, finding: run(part.text, view) }];
  });
  return {
    finding: {
      isHit: found.some(({ finding }) => finding.isHit),
      score: Math.max(0, ...found.map(({ finding }) => finding.score)),
      matches: [],
    },
    matches: found.flatMap(({ i, finding }) =>
      finding.matches.map(({ type, start, end }) => ({ type, start, end, part: i })),
    ),
    places: found.map(({ part, finding }) => ({ part, matches: finding.matches })),
  };
}

type Outcomes = { readonly result: CheckResult; readonly places: readonly Place[] };

const failed = (guardrail: Guardrail, check: Check, error: string, durationMs: number): Outcomes => ({
  result: {
    guardrail: guardrail.name,
    version: guardrail.version,
    check: check.kind,
    action: guardrail.failureMode === 'closed' ? 'block' : 'allow',
    score: 0,
    matches: [],
    error,
    durationMs,
  },
  places: [],
});

/** What a check that was made says. */
function told(guardrail: Guardrail, check: Check, run: Run, durationMs: number): Outcomes {
  const { name, version } = guardrail;
  const { finding, matches, places } = run;
  const action: Outcome = finding.isHit ? (check.action satisfies CheckAction) : 'allow';
  const score = Math.round(finding.score * 1000) / 1000;
  return {
    result: { guardrail: name, version, check: check.kind, action, score, matches, durationMs },
    places: action === 'redact' ? places : [],
  };
}

/** Why a check could not be made, without any text of what was checked. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

/** The messages of other errors may quote what was checked. */
const messageOf = (error: unknown): string =>
  error instanceof CheckError || error instanceof TimeLimitError ? error.message : 'the check failed';

/** How checks run. */
export type Running = {
  /** Runs judges and webhooks; without it they count as failed. */
  readonly remote?: RemoteCheckRunner | undefined;
  /** Most milliseconds for the checks in this process. Without it other work may run between them. */
  readonly withinMs?: number | undefined;
};

/** Checks took longer than `withinMs`. */
export class SlowChecksError extends Error {
  override readonly name = 'SlowChecksError';
}

/** Time after which other work may run. */
const SLICE_MS = 10;

/**
 * Runs guardrails over a text or messages. Checks of one text run one after the other; those that leave the process run at
 * the same time.
 * @throws SlowChecksError before any check that leaves the process
 */
export async function runGuardrails<C>(
  guardrails: readonly CompiledGuardrail[],
  content: C,
  stage: CheckedStage,
  { remote, withinMs }: Running = {},
): Promise<Verdict<C>> {
  const started = performance.now();
  const read = readContent(content);
  const local: Outcomes[] = [];
  let paused = started;
  for (const outcomes of localChecks(guardrails, read, stage)) {
    local.push(outcomes);
    const now = performance.now();
    if (withinMs !== undefined && now - started > withinMs) throw new SlowChecksError();
    if (withinMs !== undefined || now - paused < SLICE_MS) continue;
    await nextTurn();
    paused = performance.now();
  }
  const asked = await Promise.all(
    guardrails.flatMap(({ guardrail, checks }) =>
      checks.flatMap(({ check }) => (isRemote(check) ? [askRemote(guardrail, check, read, remote)] : [])),
    ),
  );
  return verdictOf(content, [...local, ...asked], started);
}

/** The same at once: judges and webhooks count as failed. */
export function runLocalGuardrails<C>(
  guardrails: readonly CompiledGuardrail[],
  content: C,
  stage: CheckedStage,
): Verdict<C> {
  const started = performance.now();
  const outcomes = [...localChecks(guardrails, readContent(content), stage)];
  return verdictOf(content, [...outcomes, ...unasked(guardrails)], started);
}

/** What comes of the judges and webhooks where nobody can ask them. */
const unasked = (guardrails: readonly CompiledGuardrail[]): Outcomes[] =>
  guardrails.flatMap(({ guardrail, checks }) =>
    checks.flatMap(({ check }) => (isRemote(check) ? [failed(guardrail, check, serverOnly(check), 0)] : [])),
  );

/** Why a judge or webhook was not asked. */
export const serverOnly = ({ kind }: RemoteCheck): string => `a ${kind} check runs on the server only`;

/** Null: there is too much of it to be checked. */
function readContent(content: unknown): Read | null {
  try {
    const read = readTexts(content);
    return read.all.length > MAX_CHARACTERS ? null : read;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const TOO_MUCH = `the text is longer than ${MAX_CHARACTERS} characters, or of too many parts`;

function* localChecks(
  guardrails: readonly CompiledGuardrail[],
  read: Read | null,
  stage: CheckedStage,
): Generator<Outcomes, void> {
  for (const { guardrail, checks } of guardrails)
    for (const compiled of checks) {
      if (!('run' in compiled)) continue;
      const { check } = compiled;
      const started = performance.now();
      try {
        // A limit of the length must hold for the longest texts too.
        yield read === null
          ? failed(guardrail, check, TOO_MUCH, 0)
          : told(guardrail, check, runLocal(compiled, read, stage), since(started));
      } catch (error) {
        yield failed(guardrail, check, messageOf(error), since(started));
      }
    }
}

async function askRemote(
  guardrail: Guardrail,
  check: RemoteCheck,
  read: Read | null,
  remote: RemoteCheckRunner | undefined,
): Promise<Outcomes> {
  if (read === null) return failed(guardrail, check, TOO_MUCH, 0);
  if (remote === undefined) return failed(guardrail, check, serverOnly(check), 0);
  const started = performance.now();
  try {
    const finding = await remote(check, read.all, guardrail);
    return told(guardrail, check, ofWhole(finding), since(started));
  } catch (error) {
    return failed(guardrail, check, messageOf(error), since(started));
  }
}

const since = (started: number): number => Math.round((performance.now() - started) * 1000) / 1000;

function verdictOf<C>(content: C, outcomes: readonly Outcomes[], started: number): Verdict<C> {
  const results = outcomes.map(({ result }) => result);
  const action = strongest(results.map((result) => result.action));
  return {
    action,
    content: action === 'block' ? null : action === 'redact' ? redactContent(content, outcomes) : content,
    results,
    durationMs: since(started),
  };
}

function redactContent<C>(content: C, outcomes: readonly Outcomes[]): C {
  const matches = new Map<TextPart, Match[]>();
  for (const { part, matches: found } of outcomes.flatMap(({ places }) => places)) {
    matches.set(part, [...(matches.get(part) ?? []), ...found]);
  }
  const texts = new Map([...matches].map(([part, found]) => [part, redactText(part.text, found)] as const));
  return withTexts(content, texts);
}
