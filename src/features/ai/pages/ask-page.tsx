import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type JSX, useEffect, useRef, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useProjectId, useScope, useSetSearch, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import type { AskReply, askEndpoint } from '../ask/contract.ts';
import { EXAMPLES } from '../ask/examples.ts';
import { Answer } from './answer.tsx';
import { Examples } from './examples.tsx';

const askApi = endpointOf<typeof askEndpoint>('POST /v1/ai/query');
/** Longest question in characters. */
const MAX_QUESTION = 500;

type Turn = { readonly id: number; readonly reply: AskReply };
type Asking = { readonly question: string; readonly error: ApiError | null };

/** Questions about figures, with their answers: the newest first. A question can follow the answer before it. */
export function AskPage(): JSX.Element {
  const { search } = useScope('ask');
  const setSearch = useSetSearch<'ask'>();
  const { turns, asking, ask, forget } = useTurns();
  const asked = useRef('');
  const { q = '' } = search;
  useEffect(() => {
    if (q === '' || asked.current === q) return;
    asked.current = q;
    void ask(q);
  }, [q, ask]);
  const submit = (question: string): void => {
    asked.current = question;
    setSearch({ q: question }, { replace: true });
    void ask(question);
  };
  return (
    <Page
      title="Ask"
      scoped={false}
      actions={
        turns.length > 0 && (
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              asked.current = '';
              setSearch({ q: undefined }, { replace: true });
              forget();
            }}
          >
            New question
          </Button>
        )
      }
    >
      <div className="stack">
        <Question
          label={turns.length === 0 ? 'Ask about figures' : 'Ask again, or follow up'}
          placeholder={turns.some(({ reply }) => reply.query !== null) ? 'and by user?' : EXAMPLES[0]}
          busy={asking !== null && asking.error === null}
          onAsk={submit}
        />
        {asking !== null && (
          <Panel title={asking.question}>
            {asking.error === null ? (
              <LoadingRows rows={4} />
            ) : (
              <Failure error={asking.error} retry={() => void ask(asking.question)} />
            )}
          </Panel>
        )}
        {turns.map(({ id, reply }) => (
          <Answer key={id} reply={reply} onAsk={submit} />
        ))}
        {turns.length === 0 && asking === null && <Nothing onAsk={submit} />}
      </div>
    </Page>
  );
}

/** The questions of this visit. Each is read with what the last answered one meant. */
function useTurns(): {
  readonly turns: readonly Turn[];
  readonly asking: Asking | null;
  readonly ask: (question: string) => Promise<void>;
  readonly forget: () => void;
} {
  const projectId = useProjectId();
  const timeZone = useZone();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [asking, setAsking] = useState<Asking | null>(null);
  const latest = useRef<readonly Turn[]>([]);
  latest.current = turns;
  const ask = useRef(async (question: string): Promise<void> => {
    setAsking({ question, error: null });
    const last = latest.current.find(({ reply }) => reply.query !== null)?.reply;
    try {
      const reply = await send(askApi, {
        query: { projectId },
        body: {
          question,
          timeZone,
          ...(last?.query && { context: { query: last.query, baseline: last.baseline } }),
        },
      });
      setTurns((before) => [{ id: before.length, reply }, ...before]);
      setAsking(null);
    } catch (error) {
      setAsking({ question, error: error instanceof ApiError ? error : new ApiError(0, String(error)) });
    }
  });
  return {
    turns,
    asking,
    ask: ask.current,
    forget: () => {
      setTurns([]);
      setAsking(null);
    },
  };
}

function Question({
  label,
  placeholder,
  busy,
  onAsk,
}: {
  label: string;
  placeholder: string;
  busy: boolean;
  onAsk: (question: string) => void;
}): JSX.Element {
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '' || busy) return;
    onAsk(text.trim());
    setText('');
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={MAX_QUESTION}
        onChange={({ currentTarget: { value } }) => setText(value)}
        leftSection={<Icon name="sessions" size={15} />}
        style={{ flex: '1 1 240px' }}
        data-autofocus
      />
      <Button type="submit" loading={busy}>
        Ask
      </Button>
    </form>
  );
}

const Nothing = ({ onAsk }: { onAsk: (question: string) => void }): JSX.Element => (
  <Panel>
    <Notice
      icon="sessions"
      title="Ask for figures in plain English"
      action={<Examples examples={EXAMPLES} onAsk={onAsk} />}
    >
      Each answer shows the query that it comes from. An organization can ask 20 times an hour.
    </Notice>
  </Panel>
);
