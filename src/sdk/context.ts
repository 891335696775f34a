import type { EventFields } from './event.ts';
import { builtinModule, importBuiltin } from './runtime.ts';

/** What a span hands down to what happens inside it. */
export type Inherited = Pick<
  EventFields,
  'user_id' | 'session_id' | 'agent' | 'tags' | 'environment' | 'release'
>;

/** Where in a trace something happens. */
export type Place = {
  readonly traceId: string;
  readonly spanId: string;
  readonly inherited: Inherited;
};

type Storage = { getStore(): Place | undefined; run<T>(place: Place, fn: () => T): T };
type StorageClass = new () => Storage;

const MODULE = 'node:async_hooks';
type AsyncHooks = { readonly AsyncLocalStorage: StorageClass };

/**
 * The fallback of a runtime without `AsyncLocalStorage`: right up to the first `await` of `fn`. After it
 * the span that `fn` was given carries the link: `span.span(…)`, `span.track(…)`, `span.run(…)`.
 */
const createStack = (): Storage => {
  let current: Place | undefined;
  return {
    getStore: () => current,
    run: (place, fn) => {
      const before = current;
      current = place;
      try {
        return fn();
      } finally {
        current = before;
      }
    },
  };
};

const findStorage = (): Storage | undefined => {
  const global = globalThis as { AsyncLocalStorage?: StorageClass };
  const Found = global.AsyncLocalStorage ?? builtinModule<AsyncHooks>(MODULE)?.AsyncLocalStorage;
  return Found && new Found();
};

const stack = createStack();
const found = findStorage();
let storage: Storage = found ?? stack;
if (found === undefined) {
  // Node before 20.16: there in time for all but what the application does while it is loaded.
  void importBuiltin<AsyncHooks>(MODULE).then((module) => {
    if (module?.AsyncLocalStorage !== undefined) storage = new module.AsyncLocalStorage();
  });
}

/** The place of the span that this code runs in, if any. */
export const currentPlace = (): Place | undefined => storage.getStore();

/** Runs `fn` inside a place: what it starts, also later, has that place. */
export const runAt = <T>(place: Place, fn: () => T): T => storage.run(place, fn);
