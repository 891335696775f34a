import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { EntryKind, EntryNote } from '../contract.ts';
import { NOTED, putAgentApi, putToolApi } from './agents-api.ts';

type Props = {
  readonly kind: EntryKind;
  readonly name: string;
  readonly note: EntryNote;
  readonly onClose: () => void;
};

/** What people say about an agent or tool: owner, description, link, hidden, merged. */
export function NoteDialog({ kind, name, note, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const save = useChange<EntryNote>({
    failed: `The ${kind} was not changed`,
    inForm: true,
    send: (body) =>
      kind === 'agent'
        ? send(putAgentApi, { params: { name }, query: { projectId }, body })
        : send(putToolApi, { params: { name }, query: { projectId }, body }),
    stale: NOTED,
    done: `The ${kind} is changed`,
  });
  const form = useSubmit(async ({ owner = '', description = '', url = '', hidden, mergedInto = '' }) => {
    await save.mutateAsync({
      owner,
      description,
      url,
      hidden: hidden !== undefined,
      mergedInto: mergedInto.trim() || null,
    });
    onClose();
  });
  return (
    <FormDialog title={`Edit ${name}`} form={form} submit="Save" onClose={onClose}>
      <TextInput label="Owner" name="owner" defaultValue={note.owner} maxLength={200} data-autofocus />
      <Textarea
        label="Description"
        name="description"
        defaultValue={note.description}
        maxLength={2_000}
        autosize
        minRows={2}
      />
      <TextInput
        label="Link"
        name="url"
        type="url"
        defaultValue={note.url}
        maxLength={2_000}
        placeholder="https://…"
      />
      <TextInput
        label="Merge into"
        name="mergedInto"
        defaultValue={note.mergedInto ?? ''}
        maxLength={300}
        description={`All figures count under that name from now on. Empty: ${name} counts for itself.`}
      />
      <Checkbox name="hidden" label="Hide from lists and the graph" defaultChecked={note.hidden} />
    </FormDialog>
  );
}
