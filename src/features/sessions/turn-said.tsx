import { type JSX, useMemo } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import { MessageCard } from '../../core/events/widgets/reading/message-card.tsx';
import css from './session-timeline.module.css';
import { turnOf } from './turn-of.ts';

type Props = {
  readonly event: StoredEvent;
  /** The calls before it, the latest first. */
  readonly earlier: readonly StoredEvent[];
};

/** What a call adds to the conversation: what was asked, and what was answered. */
export function TurnSaid({ event, earlier }: Props): JSX.Element | null {
  const turn = useMemo(() => turnOf(event, earlier), [event, earlier]);
  if (turn === null) return null;
  return (
    <div className={css.turnSaid}>
      {[...turn.asked, ...turn.answered].map((message, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a call never move
        <MessageCard key={place} message={message} pairs={turn.pairs} />
      ))}
    </div>
  );
}
