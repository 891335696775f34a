import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useNotify } from '../../../dashboard/shell/notices/notices.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { numberText } from '../../../lib/figures.ts';
import { addStoredApi, CHANGED, createDatasetApi, listDatasetsApi } from './datasets-api.ts';

/** Traces, or spans of them. */
export type Targets = readonly { readonly traceId: string; readonly spanId?: string }[];
type Props = { readonly targets: Targets; readonly onClose: () => void; readonly onAdded?: () => void };

const NEW = '';

/** Adds stored traces to a dataset that is there or a new one. */
export function AddToDataset({ targets, onClose, onAdded = () => {} }: Props): JSX.Element {
  const projectId = useProjectId();
  const notify = useNotify();
  const query = { projectId, limit: 100 };
  const datasets = useApi(listDatasetsApi, { query }).data?.datasets ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [hasExpected, setHasExpected] = useState(true);
  const id = chosen ?? datasets[0]?.id ?? NEW;
  const form = useSubmit(async ({ name = '', split = '' }) => {
    const created =
      id === NEW
        ? await send(createDatasetApi, { query: { projectId }, body: { name, description: '' } })
        : null;
    const { added, unchanged, changed, skipped } = await send(addStoredApi, {
      params: { id: created?.id ?? id },
      query: { projectId },
      body: {
        targets: targets.map(({ traceId, spanId }) =>
          spanId === undefined ? { traceId } : { traceId, spanId },
        ),
        expected: hasExpected ? 'output' : 'none',
        split: split.trim() || null,
        // A single trace without content is refused with the reason.
        skipMissing: targets.length > 1,
      },
    });
    await refresh(...CHANGED);
    const parts = [
      `${numberText(added)} added`,
      ...(changed > 0 ? [`${numberText(changed)} changed`] : []),
      ...(unchanged > 0 ? [`${numberText(unchanged)} there already`] : []),
      ...(skipped.length > 0 ? [`${numberText(skipped.length)} without stored content`] : []),
    ];
    notify({ message: parts.join(', ') });
    onAdded();
    onClose();
  });
  const what = targets.length === 1 ? 'one trace' : `${numberText(targets.length)} traces`;
  return (
    <FormDialog title={`Add ${what} to a dataset`} form={form} submit="Add" onClose={onClose}>
      <NativeSelect
        label="Dataset"
        value={id}
        data={[
          ...datasets.map((one) => ({ value: one.id, label: one.name })),
          { value: NEW, label: 'New dataset' },
        ]}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      {id === NEW && <TextInput label="Name" name="name" required maxLength={200} data-autofocus />}
      <TextInput label="Split" description="Such as test. Empty: none." name="split" maxLength={50} />
      <Checkbox
        label="The stored output is the expected output"
        checked={hasExpected}
        onChange={({ currentTarget }) => setHasExpected(currentTarget.checked)}
      />
    </FormDialog>
  );
}
