import type { EventFields } from './event.ts';
import { builtinModule, importBuiltin } from './runtime.ts';

/** Fields that a span passes on to everything inside it; `metadata` only from `with`. */
export type Inherited = Pick<
  EventFields,
  | 'user_id'
  | 'session_id'
  | 'agent'
  | 'agent_version'
  | 'tags'
  | 'metadata'
  | 'environment'
  | 'release'
  | 'prompt_name'
  | 'prompt_version'
>;

/** A place in a trace, or outside of any: `with` sets fields without a span. */
export type Place = {
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly inherited: Inherited;
  /** Id of the OpenTelemetry span that was active when this place was entered, if a bridge is set up. */
  readonly outer: string | undefined;
};

type Storage = { getStore(): Place | undefined; run<T>(place: Place, fn: () => T): T };
type StorageClass = new () => Storage;

const MODULE = 'node:async_hooks';
type AsyncHooks = { readonly AsyncLocalStorage: StorageClass };

/**
 * Fallback for runtimes without `AsyncLocalStorage`. It is correct up to the first `await` of `fn`. After that, the
 * span passed to `fn` keeps the link: `span.span(…)`, `span.track(…)`, `span.run(…)`.
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
// One for all clients of the process: a span of one client contains the events of another.
let storage: Storage = found ?? stack;
if (found === undefined) {
  // Node before 20.16 loads the module asynchronously: ready for everything but the application's own start-up.
  void importBuiltin<AsyncHooks>(MODULE).then((module) => {
    if (module?.AsyncLocalStorage !== undefined) storage = new module.AsyncLocalStorage();
  });
}

/** The place of the current span, if any. */
export const currentPlace = (): Place | undefined => storage.getStore();

/** Runs `fn` in a place; everything that it starts, also asynchronously, has that place. */
export const runAt = <T>(place: Place, fn: () => T): T => storage.run(place, fn);
