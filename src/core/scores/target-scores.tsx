import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { type FormEvent, type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import type {
  deleteScoreEndpoint,
  listDefinitionsEndpoint,
  listScoresEndpoint,
  postScoresEndpoint,
  Score,
  ScoreDefinition,
} from './contract.ts';
import css from './scores.module.css';

const listApi = endpointOf<typeof listScoresEndpoint>('GET /v1/scores');
const postApi = endpointOf<typeof postScoresEndpoint>('POST /v1/scores');
const deleteApi = endpointOf<typeof deleteScoreEndpoint>('DELETE /v1/scores/:id');
const definitionsApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');

/** Name of the score that the thumbs give. */
const FEEDBACK = 'feedback';

/** A trace, a span of it, or a session. */
type Target = { readonly traceId: string; readonly spanId?: string } | { readonly sessionId: string };

/** The scores of a trace, a span or a session, with thumbs and a form for more. */
export function TargetScores({ of }: { of: Target }): JSX.Element {
  const projectId = useProjectId();
  const { may, userId } = useMember();
  const isSession = 'sessionId' in of;
  const about = isSession ? { sessionId: of.sessionId } : { traceId: of.traceId };
  const list = useApi(listApi, { query: { projectId, ...about, limit: 200 } });
  const span = isSession ? null : (of.spanId ?? null);
  const what = isSession ? 'this session' : span === null ? 'this trace' : 'this span';
  return (
    <section className={css.section} aria-label={`Scores of ${what}`}>
      <h3>Scores of {what}</h3>
      <Loaded of={list} loading={<LoadingRows rows={1} />}>
        {({ scores }) => {
          const own = scores.filter(({ spanId }) => spanId === span);
          const given = own.find(({ name, createdBy }) => name === FEEDBACK && createdBy === userId);
          return (
            <>
              {own.length === 0 && <p className="dim">No scores yet.</p>}
              <ul className={css.list}>
                {own.map((score) => (
                  <OneScore key={score.id} score={score} />
                ))}
              </ul>
              {may('member') && <Thumbs of={of} given={given} />}
            </>
          );
        }}
      </Loaded>
      {may('member') ? <GiveScore of={of} /> : <p className="dim">Members can give scores.</p>}
    </section>
  );
}

const valueText = (value: Score['value']): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
const giverOf = ({ source, author }: Score): string =>
  author ?? (source === 'evaluator' ? 'evaluator' : source === 'human' ? 'somebody' : 'API');

function OneScore({ score }: { score: Score }): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const remove = useChange({
    failed: 'The score was not deleted',
    send: () => send(deleteApi, { query: { projectId }, params: { id: score.id } }),
    stale: [listApi],
  });
  return (
    <li className={css.score}>
      <span>{score.name}</span>
      <strong className="num">{valueText(score.value)}</strong>
      <span className="dim">{giverOf(score)}</span>
      {score.comment !== null && <span className={css.comment}>{score.comment}</span>}
      {may('member') && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={remove.isPending}
          aria-label={`Delete the score ${score.name}`}
          onClick={() => remove.mutate()}
        >
          Delete
        </Button>
      )}
    </li>
  );
}

function Thumbs({ of, given }: { of: Target; given: Score | undefined }): JSX.Element {
  const projectId = useProjectId();
  const give = useChange({
    failed: 'The feedback was not saved',
    send: (value: boolean) =>
      send(postApi, {
        query: { projectId },
        body: { ...of, name: FEEDBACK, value, ...(given !== undefined && { scoreId: given.id }) },
      }),
    stale: [listApi, definitionsApi],
  });
  const thumb = (value: boolean, label: string, icon: 'good' | 'bad'): JSX.Element => (
    <Button
      size="xs"
      variant={given?.value === value ? 'filled' : 'default'}
      aria-pressed={given?.value === value}
      aria-label={label}
      title={label}
      disabled={give.isPending}
      onClick={() => give.mutate(value)}
    >
      <Icon name={icon} size={15} />
    </Button>
  );
  return (
    <div className={css.row}>
      {thumb(true, 'Good', 'good')}
      {thumb(false, 'Bad', 'bad')}
    </div>
  );
}

const isAllowed = ({ type }: ScoreDefinition, text: string): boolean =>
  text.trim() !== '' && (type !== 'numeric' || Number.isFinite(Number(text)));

function GiveScore({ of }: { of: Target }): JSX.Element | null {
  const projectId = useProjectId();
  const definitions = useApi(definitionsApi, { query: { projectId } }).data?.definitions ?? [];
  const [name, setName] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [comment, setComment] = useState('');
  const chosen = definitions.find((one) => one.name === name);
  const give = useChange({
    failed: 'The score was not saved',
    send: async () => {
      if (chosen === undefined) return;
      const value =
        chosen.type === 'numeric' ? Number(text) : chosen.type === 'boolean' ? text === 'yes' : text.trim();
      const why = comment.trim() === '' ? {} : { comment };
      await send(postApi, { query: { projectId }, body: { ...of, name: chosen.name, value, ...why } });
      setText('');
      setComment('');
    },
    stale: [listApi],
  });
  if (definitions.length === 0) return null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    give.mutate();
  };
  return (
    <form className={css.row} onSubmit={submit} aria-label="Give a score">
      <Select
        aria-label="Score"
        placeholder="Score"
        size="xs"
        data={definitions.map((one) => one.name)}
        value={name}
        onChange={(value) => {
          setName(value);
          setText('');
        }}
      />
      {chosen !== undefined && <ValueField definition={chosen} text={text} onText={setText} />}
      <TextInput
        aria-label="Why"
        placeholder="Why (optional)"
        size="xs"
        maxLength={2_000}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      <Button
        type="submit"
        size="xs"
        loading={give.isPending}
        disabled={chosen === undefined || !isAllowed(chosen, text)}
      >
        Score
      </Button>
    </form>
  );
}

type FieldProps = {
  readonly definition: ScoreDefinition;
  readonly text: string;
  readonly onText: (text: string) => void;
};

function ValueField({ definition: { type, min, max, categories }, text, onText }: FieldProps): JSX.Element {
  const choices = type === 'boolean' ? ['yes', 'no'] : categories;
  if (choices !== null)
    return (
      <Select
        aria-label="Value"
        size="xs"
        data={[...choices]}
        value={text === '' ? null : text}
        onChange={(value) => onText(value ?? '')}
      />
    );
  if (type === 'numeric')
    return (
      <NumberInput
        aria-label="Value"
        size="xs"
        value={text}
        {...(min !== null && { min })}
        {...(max !== null && { max })}
        onChange={(value) => onText(String(value))}
      />
    );
  return (
    <TextInput
      aria-label="Value"
      size="xs"
      maxLength={100}
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}
