import { useCallback, useRef, useState } from 'react';
import type { StoredEvent } from '../../../core/events/contract.ts';

/** The events of a list that are chosen, in the order in which they were. */
export type Selection = {
  readonly chosen: ReadonlyMap<string, StoredEvent>;
  /** Chooses the event at a place or takes it back; `isRange`: all from the last one on likewise. */
  readonly choose: (place: number, isRange: boolean) => void;
  /** Chooses all events that are loaded. */
  readonly chooseAll: () => void;
  readonly clear: () => void;
};

const NONE: ReadonlyMap<string, StoredEvent> = new Map();

/**
 * What is chosen of the events that are loaded; it stays while more of them are.
 * @param about what the list shows; when that changes, nothing is chosen
 */
export function useSelection(events: readonly StoredEvent[], about: string): Selection {
  const [chosen, setChosen] = useState(NONE);
  const [of, setOf] = useState(about);
  if (of !== about) {
    setOf(about);
    setChosen(NONE);
  }
  const last = useRef(0);
  // A row is drawn anew only if it changes, so that what it calls stays the same.
  const list = useRef(events);
  list.current = events;
  const choose = useCallback((place: number, isRange: boolean): void => {
    const [from, to] = isRange
      ? [Math.min(last.current, place), Math.max(last.current, place)]
      : [place, place];
    const range = list.current.slice(from, to + 1);
    last.current = place;
    setChosen((before) => {
      const after = new Map(before);
      const isIn = before.has(list.current[place]?.event_id ?? '');
      for (const event of range)
        if (isIn) after.delete(event.event_id);
        else after.set(event.event_id, event);
      return after;
    });
  }, []);
  return {
    chosen,
    choose,
    chooseAll: () => setChosen(new Map(events.map((event) => [event.event_id, event]))),
    clear: () => setChosen(NONE),
  };
}
