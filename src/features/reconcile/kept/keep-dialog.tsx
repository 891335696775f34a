import { Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { ExportFilter } from '../filter-select.tsx';
import type { Kept, keepEndpoint, listKeptEndpoint, noteEndpoint } from './contract.ts';

const keepApi = endpointOf<typeof keepEndpoint>('POST /v1/reconciliations');
const noteApi = endpointOf<typeof noteEndpoint>('PUT /v1/reconciliations/:id');
const listKeptApi = endpointOf<typeof listKeptEndpoint>('GET /v1/reconciliations');

type KeepProps = { readonly file: File; readonly filter: ExportFilter; readonly onClose: () => void };

const NoteInput = ({ note }: { note: string }): JSX.Element => (
  <Textarea label="Note" name="note" defaultValue={note} maxLength={2_000} rows={3} autosize />
);

/** Keeps a comparison with a name and a note. The server compares the file again. */
export function KeepDialog({ file, filter, onClose }: KeepProps): JSX.Element {
  const projectId = useProjectId();
  const keep = useChange<{ name: string; note: string }>({
    failed: 'The result was not kept',
    inForm: true,
    send: (given) =>
      send(keepApi, {
        query: { projectId, ...given, ...filter },
        body: new Blob([file], { type: 'text/csv' }),
      }),
    stale: [listKeptApi],
    done: 'The result was kept',
  });
  const form = useSubmit(async ({ name = '', note = '' }) => {
    await keep.mutateAsync({ name, note });
    onClose();
  });
  return (
    <FormDialog title="Keep result" form={form} submit="Keep" onClose={onClose} size="sm">
      <TextInput label="Name" name="name" required maxLength={200} defaultValue={file.name} data-autofocus />
      <NoteInput note="" />
      <p className="dim">The sums, reasons and differences are stored. The file is not.</p>
    </FormDialog>
  );
}

/** Changes the note of a kept comparison. */
export function NoteDialog({ kept, onClose }: { kept: Kept; onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const change = useChange<string>({
    failed: 'The note was not changed',
    inForm: true,
    send: (note) => send(noteApi, { params: { id: kept.id }, query: { projectId }, body: { note } }),
    stale: [listKeptApi],
    done: 'The note was changed',
  });
  const form = useSubmit(async ({ note = '' }) => {
    await change.mutateAsync(note);
    onClose();
  });
  return (
    <FormDialog title={`Note on ${kept.name}`} form={form} submit="Save" onClose={onClose} size="sm">
      <NoteInput note={kept.note} />
    </FormDialog>
  );
}
