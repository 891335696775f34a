import { type JSX, useMemo } from 'react';
import { useApi } from '../../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../../dashboard/shell/endpoint.ts';
import { useScope } from '../../../../dashboard/shell/scope/scope.ts';
import { afterLastAnswer, newMessages } from '../../../../lib/messages/compare-messages.ts';
import type { Message } from '../../../../lib/messages/message.ts';
import { readMessages } from '../../../../lib/messages/read-messages.ts';
import type { StoredEvent } from '../../contract.ts';
import type { EventPlace, getEventEndpoint } from '../../list/contract.ts';
import { MessageList } from './message-list.tsx';
import { NoContent, omittedOf } from './no-content.tsx';
import css from './reading.module.css';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');

type Props = {
  readonly event: StoredEvent;
  /** The call before it, with which it is compared; null if there is none. */
  readonly previous: EventPlace | null;
};

/** Spans whose input and output are no conversation. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tool: { user: 'Arguments', assistant: 'Result' },
  embedding: { user: 'Text', assistant: 'Output' },
  retrieval: { user: 'Query', assistant: 'Result' },
  span: { user: 'Input', assistant: 'Output' },
};

/** What was asked and answered, as messages. What an earlier call said already is folded. */
export function CallView({ event, previous }: Props): JSX.Element {
  const { projectId } = useScope();
  const earlier = useApi(
    eventApi,
    { params: { id: previous?.event_id ?? '' }, query: { projectId, timestamp: previous?.timestamp } },
    { enabled: previous !== null && event.kind === 'llm' },
  );
  const before = previous === null || earlier.isPlaceholderData ? undefined : earlier.data;
  const asked = useMemo(() => readMessages(event.input, 'user'), [event]);
  const answered = useMemo(() => readMessages(event.output, 'assistant'), [event]);
  const said = useMemo(() => (before === undefined ? null : messagesOf(before)), [before]);
  const { isNew, compared } = useMemo(() => compare(said, asked), [said, asked]);
  if (asked.length + answered.length === 0) return <NoContent event={event} />;
  const omitted = omittedOf(event).filter((name) => name === 'input' || name === 'output');
  return (
    <>
      <MessageList
        messages={[...asked, ...answered]}
        isNew={[...isNew, ...answered.map(() => true)]}
        earlier={compared ? 'said in the previous call' : 'of the conversation'}
        marks={compared && isNew.includes(false)}
        answers={answered.length}
        labels={LABELS[event.kind]}
      />
      {omitted.length > 0 && (
        <p className={`dim ${css.plain}`}>
          {`The SDK left out ${omitted.join(' and ')}, because an event may have at most 1 MB.`}
        </p>
      )}
    </>
  );
}

const messagesOf = ({ input, output }: StoredEvent): Message[] => [
  ...readMessages(input, 'user'),
  ...readMessages(output, 'assistant'),
];

/** Compared with a call of which nothing is repeated, nothing would be learned. */
function compare(said: Message[] | null, asked: Message[]): { isNew: boolean[]; compared: boolean } {
  const found = said === null ? [] : newMessages(said, asked);
  const shares = found.some((isNew, place) => !isNew && asked[place]?.role !== 'system');
  return shares ? { isNew: found, compared: true } : { isNew: afterLastAnswer(asked), compared: false };
}
