import type { SpanledgerEvent } from './event.ts';
import type { createLive } from './live.ts';
import type { Report } from './problems.ts';
import { hashPrompt, type Prompt } from './prompt.ts';
import { later } from './runtime.ts';
import type { Delivery } from './send/delivery.ts';
import { takeFields, writeLine } from './send/line.ts';
import { SDK_NAME_AND_VERSION } from './version.ts';

/** An event with its ids, and the prompt whose hash it shall carry. */
export type Draft = {
  readonly event: SpanledgerEvent & { readonly event_id: string; readonly trace_id: string };
  readonly prompt?: Prompt | undefined;
};

export type Recorder = {
  /** Has `make` called soon, when the code that runs now is done, and its event sent. */
  soon(make: () => Draft): void;
  /** Does at once what was put off, and waits for it. */
  settle(): Promise<void>;
  /** Events that are not yet lines. */
  readonly pending: number;
};

/** More than this are not put off: a loop that never yields must not fill the memory. */
const MOST_PUT_OFF = 500;

/**
 * The way from an event to a line. It is taken after the caller's own code had its turn: writing JSON and
 * hashing prompts is work that no call should wait for.
 */
export const createRecorder = (
  delivery: Delivery,
  live: ReturnType<typeof createLive>,
  report: Report,
): Recorder => {
  let inbox: (() => Draft)[] = [];
  let scheduled = false;
  const working = new Set<Promise<void>>();

  const failed = (error: unknown): void =>
    report({ kind: 'internal', events: 1, message: `an event could not be written: ${String(error)}` });

  const queue = (fields: Record<string, unknown>, { event_id, trace_id }: Draft['event']): void => {
    const bytes = writeLine(fields, live.now);
    delivery.add({ id: event_id, traceId: trace_id, bytes, revision: live.now.revision });
  };

  const write = ({ event, prompt }: Draft): void => {
    const fields: Record<string, unknown> = {
      ...takeFields(event, live.now),
      sdk_version: SDK_NAME_AND_VERSION,
    };
    if (prompt === undefined) {
      queue(fields, event);
      return;
    }
    const hashed = hashPrompt(prompt)
      .catch(() => undefined)
      .then((hash) => queue({ ...fields, prompt_hash: hash }, event))
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
