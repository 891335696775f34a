import { later } from './runtime.ts';

/** What can go wrong here. It never reaches the caller's own call. */
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
    | 'internal';
  /** One sentence: what happened and what to do. */
  readonly message: string;
  /** Events concerned. */
  readonly events: number;
};

/** Reports a problem; it never throws. */
export type Report = (problem: Problem) => void;

/** The same kind of problem is printed at most this often. */
const QUIET_MS = 60_000;
/** Of these every event is another one; the others tell of the same events again. */
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

/** Problems go to `listener`, or to `console.warn`, each kind once a minute. */
export const createReport = (listener?: (problem: Problem) => void): Report => {
  const report = listener ?? printer();
  return (problem) => {
    try {
      report(problem);
    } catch {
      // A listener of the application must not break what it listens to.
    }
  };
};
