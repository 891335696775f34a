import { type ComponentType, createContext, type JSX, type ReactNode, useContext } from 'react';
import type { StoredEvent } from '../contract.ts';

/** What features add to the details of an event. */
export type EventExtras = {
  /** How its cost was computed; shown only where the event has a cost status. */
  readonly Cost: ComponentType<{ event: StoredEvent }>;
};

const Extras = createContext<EventExtras | null>(null);

/** Gives the details of events below it what features add to them: core does not import features. */
export const EventExtrasProvider = ({
  extras,
  children,
}: {
  extras: EventExtras;
  children: ReactNode;
}): JSX.Element => <Extras value={extras}>{children}</Extras>;

export const useEventExtras = (): EventExtras | null => useContext(Extras);
