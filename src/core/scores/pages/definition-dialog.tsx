import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type {
  DefinitionInput,
  deleteDefinitionEndpoint,
  listDefinitionsEndpoint,
  postDefinitionEndpoint,
  putDefinitionEndpoint,
  ScoreDefinition,
} from '../contract.ts';

const listApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');
const createApi = endpointOf<typeof postDefinitionEndpoint>('POST /v1/score-definitions');
const changeApi = endpointOf<typeof putDefinitionEndpoint>('PUT /v1/score-definitions/:id');
const deleteApi = endpointOf<typeof deleteDefinitionEndpoint>('DELETE /v1/score-definitions/:id');

type Props = { readonly definition: ScoreDefinition | null; readonly onClose: () => void };
const numberOrNull = (text: string | undefined): number | null => (text?.trim() ? Number(text) : null);
const linesOf = (text: string | undefined): string[] =>
  (text ?? '').split('\n').filter((line) => line.trim() !== '');

/** A new definition, or one to change; name and type stay. */
export function DefinitionDialog({ definition, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const [type, setType] = useState<DefinitionInput['type']>(definition?.type ?? 'boolean');
  const form = useSubmit(async (fields) => {
    const words = linesOf(fields.categories);
    const body: DefinitionInput = {
      name: definition?.name ?? fields.name ?? '',
      type,
      description: fields.description ?? '',
      min: type === 'numeric' ? numberOrNull(fields.min) : null,
      max: type === 'numeric' ? numberOrNull(fields.max) : null,
      categories: type === 'category' && words.length > 0 ? words : null,
      direction: fields.direction as DefinitionInput['direction'],
    };
    if (definition === null) await send(createApi, { query: { projectId }, body });
    else await send(changeApi, { query: { projectId }, params: { id: definition.id }, body });
    await refresh(listApi);
    onClose();
  });
  return (
    <FormDialog
      title={definition === null ? 'New score' : `Edit ${definition.name}`}
      form={form}
      submit={definition === null ? 'Create score' : 'Save score'}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={60}
        disabled={definition !== null}
        defaultValue={definition?.name ?? ''}
        data-autofocus
      />
      <NativeSelect
        label="Type"
        data={[
          { value: 'boolean', label: 'Yes or no' },
          { value: 'numeric', label: 'A number' },
          { value: 'category', label: 'A word' },
        ]}
        disabled={definition !== null}
        value={type}
        onChange={({ currentTarget: { value } }) => setType(value as DefinitionInput['type'])}
      />
      {type === 'numeric' && (
        <div className="inline-form">
          <TextInput label="Least" name="min" type="number" step="any" defaultValue={definition?.min ?? ''} />
          <TextInput
            label="Greatest"
            name="max"
            type="number"
            step="any"
            defaultValue={definition?.max ?? ''}
          />
        </div>
      )}
      {type === 'category' && (
        <Textarea
          label="Words, one per line"
          description="Empty: any text."
          name="categories"
          autosize
          minRows={2}
          defaultValue={definition?.categories?.join('\n') ?? ''}
        />
      )}
      <NativeSelect
        label="Good values"
        name="direction"
        data={[
          { value: 'higher', label: type === 'boolean' ? 'Yes' : 'High' },
          { value: 'lower', label: type === 'boolean' ? 'No' : 'Low' },
          { value: 'none', label: 'Neither' },
        ]}
        defaultValue={definition?.direction ?? 'higher'}
      />
      <Textarea
        label="Description"
        description="For people who score."
        name="description"
        autosize
        maxLength={2_000}
        defaultValue={definition?.description ?? ''}
      />
      {definition !== null && <DeleteDefinition definition={definition} onDeleted={onClose} />}
    </FormDialog>
  );
}

function DeleteDefinition({
  definition: { id, name },
  onDeleted,
}: {
  definition: ScoreDefinition;
  onDeleted: () => void;
}): JSX.Element | null {
  const projectId = useProjectId();
  const { may } = useMember();
  const remove = useChange({
    failed: 'The score was not deleted',
    done: `${name} and its scores were deleted`,
    send: async () => {
      await send(deleteApi, { query: { projectId }, params: { id } });
      onDeleted();
    },
    stale: [listApi],
  });
  if (!may('admin')) return null;
  return (
    <div>
      <Confirm
        label="Delete with all its scores"
        title={`Delete ${name} with all its scores?`}
        confirm="Delete"
        word={name}
        onConfirm={() => remove.mutate()}
      >
        Figures of this score are gone from charts and alerts too.
      </Confirm>
    </div>
  );
}
