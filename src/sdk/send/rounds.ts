import { cancelTimer, later } from '../runtime.ts';

/** Runs rounds of work, one at a time: at once, or after a delay. */
export class Rounds {
  readonly #run: () => Promise<void>;
  readonly #delay: () => number | null;
  #running: Promise<void> | null = null;
  #timer: unknown = null;

  /**
   * @param run a round; must not reject
   * @param delay milliseconds until the next round is due; null if none is needed
   */
  constructor(run: () => Promise<void>, delay: () => number | null) {
    this.#run = run;
    this.#delay = delay;
  }

  /** Starts a round at once, or joins the running one. */
  start(): Promise<void> {
    this.cancel();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      this.plan();
    });
    return this.#running;
  }

  /** Starts the next round when it is due. A running round plans its successor. */
  plan(): void {
    if (this.#running !== null) return;
    const delay = this.#delay();
    if (delay === null) return;
    if (delay === 0) void this.start();
    else this.#timer ??= later(delay, () => void this.start());
  }

  /** Cancels the round that is planned. */
  cancel(): void {
    if (this.#timer !== null) cancelTimer(this.#timer);
    this.#timer = null;
  }
}

/** A wait that can be cut short. */
export class Pause {
  #wake: (() => void) | null = null;

  /** Resolves after `ms`, or earlier by `end` if `canEnd`. */
  wait(ms: number, canEnd: boolean): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancelTimer(waiting);
        this.#wake = null;
        resolve();
      };
      const waiting = later(ms, done);
      this.#wake = canEnd ? done : null;
    });
  }

  end(): void {
    this.#wake?.();
  }
}
