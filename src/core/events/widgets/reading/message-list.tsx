import { type JSX, useState } from 'react';
import { numberText } from '../../../../lib/figures.ts';
import { pairTools, type ToolPairs } from '../../../../lib/messages/compare-messages.ts';
import type { Message, ToolResult } from '../../../../lib/messages/message.ts';
import { MessageCard } from './message-card.tsx';
import css from './reading.module.css';

type Props = {
  readonly messages: readonly Message[];
  /** At the place of each message: whether it is said here for the first time. */
  readonly isNew: readonly boolean[];
  /** What the ones that are not new were said in. */
  readonly earlier: string;
  /** Whether to mark the new ones: not where all are. */
  readonly marks: boolean;
  /** How many at the end are the call's answer, which is new anyway. */
  readonly answers: number;
  /** In place of roles, for spans that are no calls. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
};

/** A message with its place in the whole list. */
type Shown = { readonly place: number; readonly message: Message };

/** As many of a folded history are shown at a time. */
const STEP = 50;

/** A role is any word, such as `constructor`. */
const labelOf = (labels: Props['labels'], { role }: Message): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, role) ? labels[role] : undefined;

/** A new result stands by itself if its call was said before: below that it would be folded. */
function pairsInSight(messages: readonly Message[], isNew: readonly boolean[]): ToolPairs {
  const { resultOf, callOf } = pairTools(messages);
  const said = new Set(messages.flatMap(({ parts }, place) => (isNew[place] === false ? parts : [])));
  const inSight = [...resultOf].filter(([call, result]) => !said.has(call) || said.has(result));
  return { resultOf: new Map(inSight), callOf };
}

/** Results that stand below their call are not shown a second time. */
const withoutPaired = ({ role, parts }: Message, { resultOf, callOf }: ToolPairs): Message | null => {
  const isBelow = (result: ToolResult): boolean => {
    const call = callOf.get(result);
    return call !== undefined && resultOf.has(call);
  };
  const rest = parts.filter((part) => part.kind !== 'result' || !isBelow(part));
  return rest.length === 0 && parts.length > 0 ? null : { role, parts: rest };
};

/** Messages below each other. Runs of messages that were said before are folded. */
export function MessageList({ messages, isNew, earlier, marks, answers, labels }: Props): JSX.Element {
  const pairs = pairsInSight(messages, isNew);
  const runs: { readonly said: boolean; readonly shown: Shown[] }[] = [];
  for (const [place, given] of messages.entries()) {
    const message = withoutPaired(given, pairs);
    if (message === null) continue;
    // Instructions stay in sight: they are folded by themselves.
    const said = isNew[place] === false && message.role !== 'system';
    const last = runs.at(-1);
    if (last !== undefined && last.said === said) last.shown.push({ place, message });
    else runs.push({ said, shown: [{ place, message }] });
  }
  const isMarked = (place: number): boolean =>
    marks && isNew[place] === true && place < messages.length - answers;
  return (
    <div className={css.messages}>
      {runs.map(({ said, shown }) =>
        said ? (
          <History
            key={shown[0]?.place}
            messages={shown.map(({ message }) => message)}
            pairs={pairs}
            earlier={earlier}
            labels={labels}
          />
        ) : (
          shown.map(({ place, message }) => (
            <MessageCard
              key={place}
              message={message}
              pairs={pairs}
              label={labelOf(labels, message)}
              isNew={isMarked(place)}
            />
          ))
        ),
      )}
    </div>
  );
}

type HistoryProps = Pick<Props, 'messages' | 'earlier' | 'labels'> & { readonly pairs: ToolPairs };

/** Messages of earlier calls, from the latest backwards as far as asked for. */
function History({ messages, pairs, earlier, labels }: HistoryProps): JSX.Element {
  const [shown, setShown] = useState(0);
  const hidden = messages.length - shown;
  return (
    <>
      {hidden > 0 && (
        <button type="button" className={css.earlier} onClick={() => setShown(shown + STEP)}>
          {hidden === 1 ? '1 earlier message' : `${numberText(hidden)} earlier messages`}
          <span className="dim"> {earlier}</span>
        </button>
      )}
      {messages.slice(hidden).map((message, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: counted from the end, which never moves
        <MessageCard key={place - shown} message={message} pairs={pairs} label={labelOf(labels, message)} />
      ))}
      {shown > 0 && (
        <button type="button" className={css.earlier} onClick={() => setShown(0)}>
          Fold earlier messages
        </button>
      )}
    </>
  );
}
