import { later } from './runtime.ts';

/** A problem of the SDK. It never affects the caller's own call. */
export type Problem = {
  readonly kind:
    | 'configuration'
    | 'dropped'
    | 'rejected'
    | 'unauthorized'
    | 'refused'
    | 'unreachable'
    | 'paused'
    | 'usage_missing'
    | 'warning'
    | 'mask'
    | 'internal';
  /** One sentence: what happened and what to do. */
  readonly message: string;
  /** Number of affected events. */
  readonly events: number;
};

/** Reports a problem. Never throws. */
export type Report = (problem: Problem) => void;

/** Problems of one kind are printed at most once per this time. */
const QUIET_MS = 60_000;
/** Kinds whose counts add up; the others report the same events repeatedly. */
const COUNTED: readonly Problem['kind'][] = ['dropped', 'rejected', 'refused'];

const printer = (): Report => {
  const quiet = new Map<string, number>();
  return ({ kind, message, events }) => {
    const held = quiet.get(kind);
    if (held !== undefined) {
      quiet.set(kind, held + events);
      return;
    }
    quiet.set(kind, 0);
    console.warn(`spanledger: ${message}`);
    later(QUIET_MS, () => {
      const more = quiet.get(kind) ?? 0;
      quiet.delete(kind);
      if (more > 0 && COUNTED.includes(kind)) console.warn(`spanledger: ${more} more events were ${kind}`);
    });
  };
};

/** Sends problems to `listener`, or to `console.warn` with each kind at most once a minute. */
export const createReport = (listener?: (problem: Problem) => void): Report => {
  const report = listener ?? printer();
  return (problem) => {
    try {
      report(problem);
    } catch {
      // An exception in the application's listener must not reach the call.
    }
  };
};
