import type { SpanledgerEvent } from './event.ts';
import type { createLive } from './live.ts';
import { type ApplyMask, type Mask, safeMask } from './mask.ts';
import type { Report } from './problems.ts';
import { hashPrompt, type Prompt } from './prompt.ts';
import { later } from './runtime.ts';
import type { Delivery } from './send/delivery.ts';
import { maskTexts, takeFields, writeLine } from './send/line.ts';
import { SDK_NAME_AND_VERSION } from './version.ts';

/** An event with its ids, and the prompt to hash for it. */
export type Draft = {
  readonly event: SpanledgerEvent & { readonly event_id: string; readonly trace_id: string };
  readonly prompt?: Prompt | undefined;
};

export type Recorder = {
  /** Calls `make` after the current code has finished, and sends its event. */
  soon(make: () => Draft): void;
  /** Processes all deferred events now and waits for them. */
  settle(): Promise<void>;
  /** Number of events that are not serialised yet. */
  readonly pending: number;
};

/** At this many deferred events they are serialised at once, so that a loop that never yields cannot fill the memory. */
const MOST_PUT_OFF = 500;

/**
 * Turns events into lines. This happens after the caller's code has run, because no call should wait for JSON
 * serialisation and prompt hashing.
 */
export const createRecorder = (
  delivery: Delivery,
  live: ReturnType<typeof createLive>,
  { report, mask }: { report: Report; mask: Mask | undefined },
): Recorder => {
  let inbox: (() => Draft)[] = [];
  let scheduled = false;
  const working = new Set<Promise<void>>();

  const failed = (error: unknown): void =>
    report({ kind: 'internal', events: 1, message: `an event could not be written: ${String(error)}` });

  /** The mask for one event, which reports its first failure. */
  const maskFor = (): ApplyMask | undefined => {
    if (mask === undefined) return undefined;
    let isReported = false;
    return safeMask(mask, (error) => {
      if (isReported) return;
      isReported = true;
      const message = `the option mask failed, so the text was left out: ${String(error)}`;
      report({ kind: 'mask', events: 1, message });
    });
  };

  const queue = (
    fields: Record<string, unknown>,
    { event_id, trace_id }: Draft['event'],
    apply: ApplyMask | undefined,
  ): void => {
    const bytes = writeLine(fields, live.now, apply);
    delivery.add({ id: event_id, traceId: trace_id, bytes, revision: live.now.revision });
  };

  const write = ({ event, prompt }: Draft): void => {
    const apply = maskFor();
    const taken = takeFields(event, live.now, { mask: apply });
    const fields: Record<string, unknown> = {
      ...(apply === undefined ? taken : maskTexts(taken, apply)),
      sdk_version: SDK_NAME_AND_VERSION,
    };
    if (prompt === undefined) {
      queue(fields, event, apply);
      return;
    }
    const hashed = hashPrompt(prompt)
      .catch(() => undefined)
      .then((hash) => queue({ ...fields, prompt_hash: hash }, event, apply))
      .catch(failed)
      .finally(() => working.delete(hashed));
    working.add(hashed);
  };

  const drain = (): void => {
    scheduled = false;
    const drafts = inbox;
    inbox = [];
    for (const make of drafts) {
      try {
        write(make());
      } catch (error) {
        failed(error);
      }
    }
  };

  return {
    soon(make) {
      inbox.push(make);
      if (inbox.length >= MOST_PUT_OFF) drain();
      else if (!scheduled) {
        scheduled = true;
        later(0, drain);
      }
    },
    get pending() {
      return inbox.length + working.size;
    },
    async settle() {
      drain();
      while (working.size > 0) await Promise.all(working);
    },
  };
};
