import { type ErrorData, fromErrorData, toErrorData } from '../../db/error-data.ts';
import { unavailable } from '../../errors.ts';
import type { AnyWork, Running, Steps, Work, Workers } from './work.ts';

type Message =
  | { readonly id: number; readonly start: string; readonly input: unknown }
  | { readonly id: number; readonly next: unknown }
  | { readonly id: number; readonly stop: true };
type Reply = { readonly id: number; readonly value?: unknown; readonly failure?: ErrorData };

/** Runs work on a thread that starts with the first work. `entry` is the module that calls `serveWork`. */
export function createWorkThread(entry: string | URL, onCrash: (error: Error) => void): Workers {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let thread: Worker | null = null;
  let nextId = 0;

  function open(): Worker {
    const worker = new Worker(entry);
    worker.onmessage = ({ data: { id, value, failure } }: MessageEvent<Reply>) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (failure === undefined) asked?.resolve(value);
      else asked?.reject(fromErrorData(failure));
    };
    worker.onerror = (event) => onCrash(new Error(event.message));
    return worker;
  }

  const post = (message: Message, transfer: ArrayBuffer[] = []): void => {
    thread ??= open();
    thread.postMessage(message, transfer);
  };

  return {
    start<I, O, N>(work: Work<I, O, N>, input: I, transfer?: ArrayBuffer[]): Running<O, N> {
      const id = nextId++;
      post({ id, start: work.name, input }, transfer);
      return {
        next(value) {
          const asked = Promise.withResolvers<unknown>();
          waiting.set(id, asked);
          post({ id, next: value });
          return asked.promise as Promise<O | undefined>;
        },
        stop: () => post({ id, stop: true }),
      };
    },
    close() {
      thread?.terminate();
      for (const { reject } of waiting.values()) reject(unavailable('The server is shutting down'));
      waiting.clear();
    },
  };
}

/**
 * The thread: runs the works of `createWorkThread`, each a piece at a time as it is asked for.
 * @param works by name; each is loaded when it is first started
 */
export function serveWork(works: Readonly<Record<string, () => Promise<AnyWork>>>): void {
  const running = new Map<number, Promise<Steps<unknown, unknown>>>();
  const scope = globalThis as unknown as { onmessage: unknown; postMessage(message: Reply): void };

  async function start(name: string, input: unknown): Promise<Steps<unknown, unknown>> {
    const work = (await works[name]?.()) as Work<unknown, unknown, unknown> | undefined;
    if (work === undefined) throw new Error(`unknown work ${name}`);
    return work.run(input);
  }

  async function step(id: number, value: unknown): Promise<Reply> {
    try {
      const { done = true, value: piece } = (await (await running.get(id))?.next(value)) ?? {};
      if (done) running.delete(id);
      return { id, value: piece };
    } catch (error) {
      running.delete(id);
      return { id, failure: toErrorData(error) };
    }
  }

  scope.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('start' in data) {
      const steps = start(data.start, data.input);
      // The first step reports a failure; work that is stopped before has none.
      steps.catch(() => undefined);
      running.set(data.id, steps);
    } else if ('next' in data) void step(data.id, data.next).then((reply) => scope.postMessage(reply));
    else running.delete(data.id);
  };
}
