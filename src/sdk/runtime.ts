/** Features of Node, Bun and Deno that an edge runtime may lack. They are looked up, never imported. */
type Process = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly getBuiltinModule?: (name: string) => unknown;
};

const globals = globalThis as { process?: Process; Deno?: { unrefTimer?: (id: unknown) => void } };

/** The environment variables of the process; empty if the runtime has none or forbids reading them. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => {
  try {
    return globals.process?.env ?? {};
  } catch {
    return {};
  }
};

/** Loads a Node module synchronously, if the runtime can (Node from 20.16, Bun, Deno). */
export const builtinModule = <T>(name: string): T | undefined => {
  try {
    return globals.process?.getBuiltinModule?.(name) as T | undefined;
  } catch {
    return undefined;
  }
};

/** Loads it asynchronously, for older versions. The name is not a constant, so that no bundler resolves the module. */
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

/** Cancels a timer of `later`. */
export const cancelTimer = (timer: unknown): void => clearTimeout(timer as number);

/** Resolves to `late` after `ms`. It keeps the process running, because a caller waits for it. */
export const deadline = <T>(ms: number, late: T): { passed: Promise<T>; clear: () => void } => {
  let timer: unknown;
  const passed = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return { passed, clear: () => cancelTimer(timer) };
};
