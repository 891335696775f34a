import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type JSX, useRef, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import type { ScoreDefinition } from '../../scores/contract.ts';
import type { AnnotationTask, QueueDetail } from '../contract.ts';
import css from './annotation.module.css';
import { choicesOf, type Value } from './choices.ts';
import { annotateApi, itemsApi, listApi, queueApi, scoresApi, taskApi } from './queues-api.ts';

type Props = {
  readonly queue: QueueDetail;
  readonly task: AnnotationTask;
  /** Shows another item. */
  readonly onShow: (no: number) => void;
  /** Shows the next item that waits. */
  readonly onNext: () => void;
};
type Values = Readonly<Record<string, Value>>;

/** The scores of an item. Keys choose values, Enter saves and goes on, arrows move. */
export function TaskForm({ queue, task, onShow, onNext }: Props): JSX.Element {
  const { definitions } = queue;
  const projectId = useProjectId();
  const { may } = useMember();
  const [values, setValues] = useState<Values>(task.scores);
  const [comment, setComment] = useState(task.comment ?? '');
  const [active, setActive] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const isComplete = definitions.every(({ name }) => values[name] !== undefined);
  const save = useChange({
    failed: 'The annotation was not saved',
    send: async (isSkipped: boolean) => {
      const why = comment.trim() === '' ? {} : { comment: comment.trim() };
      const body = isSkipped ? ({ skip: true } as const) : { scores: values, ...why };
      await send(annotateApi, { params: { id: queue.id, no: task.no }, query: { projectId }, body });
      onNext();
    },
    stale: [taskApi, itemsApi, queueApi, listApi, scoresApi],
  });
  const canSave = isComplete && !save.isPending && may('member');
  const choose = (place: number, value: Value): void => {
    const name = definitions[place]?.name ?? '';
    const chosen = { ...values, [name]: value };
    setValues(chosen);
    const open = definitions.findIndex((one) => chosen[one.name] === undefined);
    setActive(open === -1 ? place : open);
  };
  const onKey = (key: string): boolean => {
    if (key === 'Enter') {
      if (canSave) save.mutate(false);
      return true;
    }
    if (key === 'ArrowLeft' && task.previous !== null) onShow(task.previous);
    else if (key === 'ArrowRight' && task.next !== null) onShow(task.next);
    else if (key === 'ArrowDown') setActive(Math.min(definitions.length - 1, active + 1));
    else if (key === 'ArrowUp') setActive(Math.max(0, active - 1));
    else if (key === 'c') field.current?.focus();
    else if (key === 's') save.mutate(true);
    else {
      const definition = definitions[active];
      const found = definition && choicesOf(definition).find(({ keys }) => keys.includes(key));
      if (found === undefined) return false;
      choose(active, found.value);
    }
    return true;
  };
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.metaKey || document.querySelector('[role=dialog]'))
      return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    const isTyping = target?.matches('input, textarea, select') === true;
    if (isTyping && event.key === 'Escape') target.blur();
    const isSaved = isTyping && event.key === 'Enter' && (event.ctrlKey || target.matches('input'));
    if ((isTyping || event.ctrlKey) && !isSaved) return;
    // Enter on another button or a link is theirs.
    if (event.key === 'Enter' && target?.closest('a, button:not([data-choice])') != null) return;
    if (onKey(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
  });
  return (
    <div className={css.form}>
      <div className={css.row}>
        <strong>Item {task.no}</strong>
        {task.state === 'done' && <span className="badge good">annotated</span>}
        {task.state === 'skipped' && <span className="badge">skipped</span>}
      </div>
      {queue.instructions !== '' && <p className="dim">{queue.instructions}</p>}
      {definitions.map((definition, place) => (
        <ScoreField
          key={definition.name}
          definition={definition}
          value={values[definition.name]}
          isActive={place === active}
          onValue={(value) => choose(place, value)}
        />
      ))}
      <Textarea
        ref={field}
        label="Comment"
        size="xs"
        autosize
        minRows={1}
        maxLength={2_000}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      <div className={css.row}>
        <Button size="xs" disabled={!canSave} loading={save.isPending} onClick={() => save.mutate(false)}>
          Save and next
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={task.state === 'done' || save.isPending || !may('member')}
          onClick={() => save.mutate(true)}
        >
          Skip
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label="Previous item"
          disabled={task.previous === null}
          onClick={() => task.previous !== null && onShow(task.previous)}
        >
          ‹
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label="Next item"
          disabled={task.next === null}
          onClick={() => task.next !== null && onShow(task.next)}
        >
          ›
        </Button>
      </div>
      <p className={`dim ${css.keys}`}>
        Keys: digits and letters choose a value, ↑ ↓ another score, Enter saves and goes on, S skips, C writes
        a comment (Ctrl+Enter saves it), ← → other items.
      </p>
    </div>
  );
}

type FieldProps = {
  readonly definition: ScoreDefinition;
  readonly value: Value | undefined;
  readonly isActive: boolean;
  readonly onValue: (value: Value) => void;
};

function ScoreField({ definition, value, isActive, onValue }: FieldProps): JSX.Element {
  const { name, type, description, min, max } = definition;
  const choices = choicesOf(definition);
  return (
    <fieldset className={css.score} data-active={isActive || undefined}>
      <legend>{name}</legend>
      {description !== '' && <p className="dim">{description}</p>}
      <div className={css.values}>
        {choices.map((choice) => (
          <Button
            key={choice.label}
            data-choice
            size="compact-sm"
            variant={value === choice.value ? 'filled' : 'default'}
            aria-pressed={value === choice.value}
            aria-keyshortcuts={choice.keys.join(' ')}
            onClick={() => onValue(choice.value)}
          >
            {choice.label}
            {isActive && choice.keys.length > 0 && <span className={css.key} data-key={choice.keys.at(-1)} />}
          </Button>
        ))}
        {choices.length === 0 && type === 'numeric' && (
          <NumberInput
            size="xs"
            aria-label={name}
            value={typeof value === 'number' ? value : ''}
            {...(min !== null && { min })}
            {...(max !== null && { max })}
            onChange={(given) => typeof given === 'number' && onValue(given)}
          />
        )}
        {choices.length === 0 && type === 'category' && (
          <TextInput
            size="xs"
            aria-label={name}
            maxLength={100}
            value={typeof value === 'string' ? value : ''}
            onChange={({ currentTarget }) => onValue(currentTarget.value)}
          />
        )}
      </div>
    </fieldset>
  );
}
