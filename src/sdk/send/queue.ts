/** An event ready to send: one line of NDJSON without its line end. */
export type QueuedEvent = {
  readonly id: string;
  readonly traceId: string;
  readonly bytes: Uint8Array;
  /** Revision of the settings that the line was written with. */
  readonly revision: number;
};

/** A bounded first-in, first-out queue of events. */
export type EventQueue = {
  readonly size: number;
  /** Adds an event; returns how many of the oldest were dropped for it. */
  push(event: QueuedEvent): number;
  /** Removes events from the front: at most `count` and at most `bytes` in total, but at least one. */
  take(count: number, bytes: number): QueuedEvent[];
  /** Empties the queue; returns the number of removed events. */
  clear(): number;
};

/** Creates a queue of at most `maxEvents` and `maxBytes`; beyond either, the oldest are dropped. */
export const createQueue = (maxEvents: number, maxBytes: number): EventQueue => {
  let events: (QueuedEvent | undefined)[] = [];
  let first = 0;
  let bytes = 0;
  const size = (): number => events.length - first;

  const shift = (): QueuedEvent | undefined => {
    const event = events[first];
    if (event === undefined) return undefined;
    bytes -= event.bytes.length;
    first++;
    if (first > 1_000 && first * 2 > events.length) {
      events = events.slice(first);
      first = 0;
    } else events[first - 1] = undefined;
    return event;
  };

  const shrink = (): number => {
    let dropped = 0;
    while (size() > 0 && (size() > maxEvents || bytes > maxBytes)) {
      shift();
      dropped++;
    }
    return dropped;
  };

  return {
    get size() {
      return size();
    },
    push(event) {
      events.push(event);
      bytes += event.bytes.length;
      return shrink();
    },
    take(count, most) {
      const taken: QueuedEvent[] = [];
      let sum = 0;
      while (taken.length < count) {
        const next = events[first];
        if (next === undefined || (taken.length > 0 && sum + next.bytes.length + 1 > most)) break;
        sum += next.bytes.length + 1;
        shift();
        taken.push(next);
      }
      return taken;
    },
    clear() {
      const had = size();
      events = [];
      first = 0;
      bytes = 0;
      return had;
    },
  };
};
