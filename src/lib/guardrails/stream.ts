import type { CheckedStage, Outcome } from './definition.ts';
import { strongest } from './definition.ts';
import { redactText } from './redact.ts';
import {
  type CheckMatch,
  type CheckResult,
  type CompiledGuardrail,
  runLocalGuardrails,
} from './run-guardrails.ts';

/**
 * Characters that are held back: a value that is not complete yet may begin in them. A run without blanks is held back
 * whole, up to 8,192 characters, because a token or a key is one.
 */
const HELD = 128;
const MAX_RUN = 8_192;
/** Characters that went out and are looked at again, for the words before a value. */
const CONTEXT = 200;

/** Checks a text that arrives in pieces. */
export type StreamChecker = {
  /** Takes a piece. Returns what may go out, redacted; null: it is blocked, and nothing more may go out. */
  feed(piece: string): string | null;
  /** The rest, after the last piece. */
  end(): string | null;
  /** What came of each check so far. */
  readonly results: readonly CheckResult[];
};

/**
 * Creates a checker of one stream. Checks that find places see a window over the borders of pieces; those of the whole
 * text (length, language, JSON) run at its end, when most of it has gone out.
 */
export function createStreamChecker(
  guardrails: readonly CompiledGuardrail[],
  stage: CheckedStage,
): StreamChecker {
  const placed = split(guardrails, false);
  const wholes = split(guardrails, true);
  const results = new Map<string, CheckResult>();
  let context = '';
  let held = '';
  let all = '';
  let isBlocked = false;

  const note = (result: CheckResult, matches: readonly CheckMatch[], action: Outcome): void => {
    const key = `${result.guardrail} ${result.check} ${result.version}`;
    const known = results.get(key);
    results.set(key, {
      ...result,
      matches: [...(known?.matches ?? []), ...matches],
      action: strongest([known?.action ?? 'allow', action]),
      score: Math.max(known?.score ?? 0, matches.length > 0 ? result.score : 0),
      durationMs: (known?.durationMs ?? 0) + result.durationMs,
    });
  };

  const scan = (isLast: boolean): string | null => {
    const text = context + held;
    const verdict = runLocalGuardrails(placed, text, stage);
    const isNew = ({ end }: CheckMatch): boolean => end > context.length;
    const found = verdict.results.map((result) => ({ result, matches: result.matches.filter(isNew) }));
    const redacted = found.flatMap(({ result, matches }) => (result.action === 'redact' ? matches : []));
    const out = isLast ? text.length : releaseEnd(text, context.length, redacted);
    for (const { result, matches } of found) {
      const isBlock = result.action === 'block' && (matches.length > 0 || result.error !== undefined);
      const done = isBlock ? matches : matches.filter(({ end }) => end <= out);
      note(result, done, done.length > 0 || isBlock ? result.action : 'allow');
      if (isBlock) isBlocked = true;
    }
    if (isBlocked) return null;
    const places = redacted
      .filter(({ end }) => end <= out)
      .map(({ type, start, end }) => ({
        type,
        start: Math.max(start, context.length) - context.length,
        end: end - context.length,
        confidence: 1,
      }));
    const released = redactText(text.slice(context.length, out), places);
    held = text.slice(out);
    context = text.slice(Math.max(0, out - CONTEXT), out);
    return released;
  };

  return {
    feed(piece) {
      if (isBlocked) return null;
      if (wholes.length > 0) all += piece;
      if (placed.length === 0) return piece;
      held += piece;
      return scan(false);
    },
    end() {
      if (isBlocked) return null;
      const rest = placed.length === 0 ? '' : scan(true);
      if (rest === null) return null;
      for (const result of runLocalGuardrails(wholes, all, stage).results) {
        note(result, result.matches, result.action);
        if (result.action === 'block') isBlocked = true;
      }
      return isBlocked ? null : rest;
    },
    get results() {
      return [...results.values()];
    },
  };
}

/** The guardrails without the checks of a text as a whole: of its length, its language, its JSON. */
export const placedChecks = (guardrails: readonly CompiledGuardrail[]): CompiledGuardrail[] =>
  split(guardrails, false);

/** The guardrails with only the checks of the whole text, or only the others. */
const split = (guardrails: readonly CompiledGuardrail[], ofWhole: boolean): CompiledGuardrail[] =>
  guardrails
    .map(({ guardrail, checks }) => ({
      guardrail,
      // Judges and webhooks fail at once, so that a guardrail that fails closed lets nothing out.
      checks: checks.filter((check) => ('run' in check ? check.isWhole : false) === ofWhole),
    }))
    .filter(({ checks }) => checks.length > 0);

/** Up to where a text may go out: not inside of a word, of a place, or of what may still become one. */
function releaseEnd(text: string, from: number, redacted: readonly CheckMatch[]): number {
  let out = Math.max(from, text.length - HELD);
  while (out > from && !isBorder(text, out) && text.length - out < MAX_RUN) out--;
  for (const { start, end } of redacted) {
    if (start < out && (end > out || end === text.length)) out = Math.max(from, start);
  }
  return out;
}

/** Whether no run of ASCII goes over a place. Scripts without blanks would otherwise be held back for ever. */
const isBorder = (text: string, at: number): boolean => {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isJoined = (code: number): boolean => code > 32 && code < 128;
  // Never between the halves of a character.
  if (after >= 0xdc00 && after <= 0xdfff) return false;
  return !(isJoined(before) && isJoined(after));
};
