import { strongest } from '../../lib/guardrails/definition.ts';
import {
  type CheckResult,
  type CompiledGuardrail,
  runLocalGuardrails,
} from '../../lib/guardrails/run-guardrails.ts';
import { createStreamChecker, placedChecks, type StreamChecker } from '../../lib/guardrails/stream.ts';
import type { Pieces } from '../wrap/watch-iterator.ts';
import { endedBy, type Slot, slotsOf, wholeTexts, withText, withWholeTexts } from './slots.ts';

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
  /** Items whose texts came in pieces. */
  const inPieces = new Set<string>();
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

  /** Ends the texts whose keys begin so. Returns what they held back. */
  const end = async (starts: readonly string[]): Promise<{ slot: Slot; rest: string }[]> => {
    const ended: { slot: Slot; rest: string }[] = [];
    for (const [key, { checker, last }] of channels) {
      if (!starts.some((start) => key.startsWith(start))) continue;
      const rest = checker.end();
      if (rest === null) return refuse();
      ended.push({ slot: last, rest });
      done.push(...checker.results);
      channels.delete(key);
    }
    return ended;
  };
  const flush = async (): Promise<void> => {
    for (const { slot, rest } of await end([''])) if (rest !== '') waiting.push(slot.alone(rest));
  };

  /** What of a piece of text may go out. */
  const feed = async (used: readonly CompiledGuardrail[], slot: Slot): Promise<string> => {
    const checked = slot.isArguments ? placedChecks(used) : used;
    const channel = channels.get(slot.key) ?? { checker: createStreamChecker(checked, 'output'), last: slot };
    channel.last = slot;
    channels.set(slot.key, channel);
    inPieces.add(itemOf(slot.key));
    return channel.checker.feed(slot.text) ?? refuse();
  };

  const take = async (chunk: unknown): Promise<void> => {
    guardrails ??= await looking();
    if (guardrails.length === 0) {
      waiting.push(chunk);
      return;
    }
    const slots = slotsOf(chunk);
    const outs = new Map<string, string>();
    for (const slot of slots) outs.set(slot.key, await feed(guardrails, slot));
    for (const { slot, rest } of await end(endedBy(chunk))) {
      const out = outs.get(slot.key);
      // The last piece and the end of the text may be one chunk: what was held back goes into it.
      if (out !== undefined) outs.set(slot.key, out + rest);
      else if (rest !== '') waiting.push(slot.alone(rest));
    }
    // A chunk may say other things than its texts, such as who speaks.
    waiting.push(
      slots.reduce(
        (copy, { key, path }) => withText(copy, path, outs.get(key) ?? ''),
        await checkWhole(guardrails, chunk),
      ),
    );
  };

  /** Texts that came in pieces are counted with them; here they are redacted in the same way. */
  const checkWhole = async (used: readonly CompiledGuardrail[], chunk: unknown): Promise<unknown> => {
    const texts = wholeTexts(chunk);
    if (texts === null) return chunk;
    const { content, results } = runLocalGuardrails(placedChecks(used), texts, 'output');
    const isRepeated = endedBy(chunk).some((start) => start === '' || inPieces.has(start));
    if (content === null || !isRepeated) done.push(...results);
    if (content === null) return refuse();
    return content === texts ? chunk : withWholeTexts(chunk as Readonly<Record<string, unknown>>, content);
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

/** The part of a key that tells the item of a reply. */
const itemOf = (key: string): string => `${key.split(' ', 2).join(' ')} `;

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
