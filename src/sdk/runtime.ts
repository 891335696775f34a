/** What Node, Bun and Deno have and an edge runtime may not. All of it is looked up, never imported. */
type Process = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly on?: (event: 'beforeExit', listener: () => void) => unknown;
  readonly off?: (event: 'beforeExit', listener: () => void) => unknown;
  readonly getBuiltinModule?: (name: string) => unknown;
};

const globals = globalThis as { process?: Process; Deno?: { unrefTimer?: (id: unknown) => void } };

/** The variables of the process; none on a runtime without them, or where reading them is not allowed. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => {
  try {
    return globals.process?.env ?? {};
  } catch {
    return {};
  }
};

/** A module of Node at once, where the runtime can (Node from 20.16, Bun, Deno). */
export const builtinModule = <T>(name: string): T | undefined => {
  try {
    return globals.process?.getBuiltinModule?.(name) as T | undefined;
  } catch {
    return undefined;
  }
};

/** The same for older ones. The name is not a constant here, so that no bundler looks for the module. */
export const importBuiltin = async <T>(name: string): Promise<T | undefined> => {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as T;
  } catch {
    return undefined;
  }
};

/** A timer that does not keep the process running. */
export const later = (ms: number, run: () => void): unknown => {
  const timer: unknown = setTimeout(run, ms);
  if (typeof timer === 'object' && timer !== null && 'unref' in timer)
    (timer.unref as () => void).call(timer);
  else globals.Deno?.unrefTimer?.(timer);
  return timer;
};

/** Ends a timer that `later` began. */
export const cancelTimer = (timer: unknown): void => clearTimeout(timer as number);

/** Resolves to `late` after `ms`; it keeps the process running, for somebody waits. */
export const deadline = <T>(ms: number, late: T): { passed: Promise<T>; clear: () => void } => {
  let timer: unknown;
  const passed = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return { passed, clear: () => cancelTimer(timer) };
};

const leaving = new Set<() => void>();
const onLeave = (): void => {
  for (const run of leaving) run();
};

/** Has `run` called when the process is about to end by itself, until the returned function is called. */
export const beforeExit = (run: () => void): (() => void) => {
  try {
    if (leaving.size === 0) globals.process?.on?.('beforeExit', onLeave);
  } catch {
    // A runtime whose process is a stand-in.
  }
  leaving.add(run);
  return () => {
    leaving.delete(run);
    if (leaving.size === 0) globals.process?.off?.('beforeExit', onLeave);
  };
};
