import type { OpenCall } from './call.ts';
import { runAt } from './context.ts';
import type { EventFields } from './event.ts';
import { readFailure } from './failure.ts';
import { CONTENT_LIMITS } from './send/line.ts';
import { snapshot } from './send/snapshot.ts';
import { openSpan, type SpanFields, type SpanHost } from './span.ts';
import { type Outcome, watchResult } from './watch-result.ts';
import { endWhenCollected } from './wrap/unread.ts';

/** What `observe` needs of a client. */
export type ObserveHost = SpanHost & { readonly storesPrompts: () => boolean };

/** Most items of a stream that are stored as its output. */
const MOST_ITEMS = 1_000;

const copy = (value: unknown): unknown => snapshot(value, CONTENT_LIMITS);
const only = (list: readonly unknown[]): unknown => (list.length === 1 ? list[0] : list);

/**
 * Returns a function that does what `fn` does and records each run as a span. A run ends with the promise, generator
 * or stream that it returns. Arguments and results are recorded only if prompts are stored.
 */
export const observe = <This, Args extends readonly unknown[], Result>(
  host: ObserveHost,
  fn: (this: This, ...args: Args) => Result,
  fields: SpanFields = {},
): ((this: This, ...args: Args) => Result) => {
  const name = fields.name ?? (fn.name || 'anonymous');
  const observed = function (this: This, ...args: Args): Result {
    const { place, end } = openSpan(host, host.place(), { name, fields });
    const kept = host.storesPrompts();
    const input = kept && args.length > 0 ? { input: only(args.map(copy)) } : {};
    const items: unknown[] = [];
    const open: OpenCall = { giveUp: () => finish({ left: true }) };
    let holder: { handedOn: boolean } | undefined;
    const finish = (outcome: Outcome): void => {
      host.closed(open);
      end({ ...input, ...fieldsOf(outcome, items, kept) });
    };
    host.opened(open);
    const watcher = {
      run: <T>(read: () => T): T => runAt(place, read),
      item: (value: unknown): void => {
        if (kept && items.length < MOST_ITEMS) items.push(copy(value));
      },
      reads: (object: object): void => {
        if (holder !== undefined) holder.handedOn = true;
        holder = endWhenCollected(object, { cancel: () => finish({ left: true }) });
      },
      done: finish,
    };
    try {
      return watchResult(
        runAt(place, () => Reflect.apply(fn, this, args)),
        watcher,
      );
    } catch (error) {
      finish({ thrown: error });
      throw error;
    }
  };
  Object.defineProperty(observed, 'name', { value: fn.name, configurable: true });
  Object.defineProperty(observed, 'length', { value: fn.length, configurable: true });
  return observed;
};

const fieldsOf = (outcome: Outcome, items: readonly unknown[], kept: boolean): EventFields => {
  const output = kept && items.length > 0 ? { output: items } : {};
  if ('thrown' in outcome) return { ...output, ...readFailure(outcome.thrown) };
  if ('left' in outcome) return { ...output, status: 'cancelled', error_code: 'stream_abandoned' };
  if (outcome.streamed || !kept || outcome.value === undefined) return output;
  return { output: copy(outcome.value) };
};
