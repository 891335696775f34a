import { strongest } from '../../lib/guardrails/definition.ts';
import {
  type CheckResult,
  type CompiledGuardrail,
  runLocalGuardrails,
} from '../../lib/guardrails/run-guardrails.ts';
import { createStreamChecker, type StreamChecker } from '../../lib/guardrails/stream.ts';
import type { Pieces } from '../wrap/watch-iterator.ts';
import { endsText, repeatsText, type Slot, slotOf } from './slots.ts';

type Parts = {
  readonly looking: () => Promise<readonly CompiledGuardrail[]>;
  readonly record: (results: readonly CheckResult[]) => void;
  readonly blocked: (results: readonly CheckResult[]) => Error;
};
type Result = IteratorResult<unknown, unknown>;

/** A text of the stream: its checker, and the last chunk that had a piece of it. */
type Channel = { readonly checker: StreamChecker; last: Slot };

/**
 * Checks a streamed reply. A chunk goes out with the text that may go out; what is held back follows in a later chunk,
 * at the latest before the chunk that ends its text. The iterator object stays the same.
 */
export function guardStream(pieces: Pieces, { looking, record, blocked }: Parts): Pieces {
  const next = pieces.next.bind(pieces);
  const leave = pieces.return?.bind(pieces);
  const channels = new Map<string, Channel>();
  const done: CheckResult[] = [];
  const waiting: unknown[] = [];
  let guardrails: readonly CompiledGuardrail[] | null = null;
  let isRecorded = false;

  const finish = (): readonly CheckResult[] => {
    for (const { checker } of channels.values()) done.push(...checker.results);
    channels.clear();
    const results = merged(done);
    if (!isRecorded) record(results);
    isRecorded = true;
    return results;
  };
  const refuse = async (): Promise<never> => {
    const results = finish();
    await leave?.(undefined);
    throw blocked(results);
  };

  /** Ends the texts, and sends what they held back. */
  const flush = async (): Promise<void> => {
    for (const { checker, last } of channels.values()) {
      const rest = checker.end();
      if (rest === null) return refuse();
      if (rest !== '') waiting.push(last.with(rest));
      done.push(...checker.results);
    }
    channels.clear();
  };

  const feed = async (used: readonly CompiledGuardrail[], slot: Slot): Promise<void> => {
    const channel = channels.get(slot.key) ?? { checker: createStreamChecker(used, 'output'), last: slot };
    channel.last = slot;
    channels.set(slot.key, channel);
    const out = channel.checker.feed(slot.text);
    if (out === null) await refuse();
    // A chunk may say other things than its text, such as who speaks.
    else waiting.push(slot.with(out));
  };

  const take = async (chunk: unknown): Promise<void> => {
    guardrails ??= await looking();
    const slot = guardrails.length === 0 ? null : slotOf(chunk);
    const isEnd = guardrails.length > 0 && endsText(chunk);
    if (slot !== null && !isEnd) return feed(guardrails, slot);
    if (slot !== null) {
      await feed(guardrails, slot);
      const last = waiting.pop();
      const before = waiting.length;
      await flush();
      // The last piece and the end of the text are one chunk: what was held back goes into it.
      const rest = waiting.splice(before).map((one) => slotOf(one)?.text ?? '');
      waiting.push(slot.with((slotOf(last)?.text ?? '') + rest.join('')));
      return;
    }
    if (isEnd) await flush();
    waiting.push(guardrails.length > 0 && repeatsText(chunk) ? redacted(guardrails, chunk) : chunk);
  };

  const settle = async (args: Parameters<Pieces['next']>): Promise<Result> => {
    for (;;) {
      if (waiting.length > 0) return { done: false, value: waiting.shift() };
      const result = await next(...args);
      if (result.done !== true) await take(result.value);
      else {
        await flush();
        if (waiting.length > 0) continue;
        finish();
        return result;
      }
    }
  };
  pieces.next = (...args) => settle(args);
  if (leave !== undefined) {
    pieces.return = (value) => {
      finish();
      return leave(value);
    };
  }
  return pieces;
}

/** Texts that are repeated whole were checked in pieces; they are redacted in the same way and not counted again. */
function redacted(
  guardrails: readonly CompiledGuardrail[],
  chunk: Readonly<Record<string, unknown>>,
): unknown {
  const { type, ...rest } = chunk;
  const { content } = runLocalGuardrails(guardrails, rest, 'output');
  return content === null ? chunk : { type, ...content };
}

/** One result for each check: a reply may have several texts. */
function merged(results: readonly CheckResult[]): CheckResult[] {
  const byCheck = new Map<string, CheckResult>();
  for (const result of results) {
    const key = `${result.guardrail} ${result.check}`;
    const known = byCheck.get(key);
    byCheck.set(
      key,
      known === undefined
        ? result
        : {
            ...known,
            action: strongest([known.action, result.action]),
            matches: [...known.matches, ...result.matches],
            score: Math.max(known.score, result.score),
            durationMs: known.durationMs + result.durationMs,
          },
    );
  }
  return [...byCheck.values()];
}
