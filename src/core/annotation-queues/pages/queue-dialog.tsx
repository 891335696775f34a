import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { AnnotationQueue } from '../contract.ts';
import type { QueueInput } from '../input/contract.ts';
import css from './annotation.module.css';
import { changeApi, createApi, definitionsApi, listApi, membersApi, queueApi } from './queues-api.ts';
import { foundOf, SourceFields } from './source-fields.tsx';

type Props = { readonly queue: AnnotationQueue | null; readonly onClose: () => void };

/** A new queue with its first items, or one to change. */
export function QueueDialog({ queue, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { organizationId } = useMember();
  const definitions = useApi(definitionsApi, { query: { projectId } });
  const members = useApi(membersApi, { params: { id: organizationId } }, { enabled: organizationId !== '' });
  const [scoreNames, setScoreNames] = useState<string[]>(queue?.scoreNames ?? []);
  const [assignees, setAssignees] = useState<string[]>(queue?.assignees.map(({ userId }) => userId) ?? []);
  const form = useSubmit(async (fields) => {
    const body: QueueInput = {
      name: fields.name ?? '',
      instructions: fields.instructions ?? '',
      scoreNames,
      assignees,
      annotators: Number(fields.annotators),
    };
    if (scoreNames.length === 0) throw new Error('Choose at least one score');
    if (queue === null) {
      const find = foundOf(fields, Date.now());
      const { id } = await send(createApi, { query: { projectId }, body: { ...body, find } });
      await refresh(listApi);
      await navigate({ to: pagePath(projectId, 'annotation-queues/$queueId', { queueId: id }) });
      return;
    }
    await send(changeApi, { query: { projectId }, params: { id: queue.id }, body });
    await refresh(listApi, queueApi);
    onClose();
  });
  const names = definitions.data?.definitions ?? [];
  const people = (members.data?.members ?? []).filter(({ role }) => role !== 'viewer');
  return (
    <FormDialog
      title={queue === null ? 'New annotation queue' : `Edit ${queue.name}`}
      form={form}
      submit={queue === null ? 'Create queue' : 'Save queue'}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={100}
        defaultValue={queue?.name ?? ''}
        data-autofocus
      />
      <Checkbox.Group label="Scores" value={scoreNames} onChange={setScoreNames}>
        <div className={css.choices}>
          {names.map(({ name }) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </div>
        {definitions.data !== undefined && names.length === 0 && (
          <p className="dim">
            There are no scores yet. <ProjectLink page="evaluators/scores">Define one first</ProjectLink>.
          </p>
        )}
      </Checkbox.Group>
      {queue === null && <SourceFields filter="" />}
      <TextInput
        label="People per item"
        description="With two or more, the queue shows how far they agree."
        name="annotators"
        type="number"
        min={1}
        max={10}
        required
        defaultValue={queue?.annotators ?? 1}
      />
      <Checkbox.Group
        label="Annotators"
        description="None: every member."
        value={assignees}
        onChange={setAssignees}
      >
        <div className={css.choices}>
          {people.map(({ userId, name }) => (
            <Checkbox key={userId} value={userId} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      <Textarea
        label="Instructions"
        description="For annotators, beside each item."
        name="instructions"
        autosize
        minRows={2}
        maxLength={5_000}
        defaultValue={queue?.instructions ?? ''}
      />
    </FormDialog>
  );
}
