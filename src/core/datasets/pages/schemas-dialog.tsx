import { Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { refresh, send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { Dataset } from '../contract.ts';
import { CHANGED, putDatasetApi } from './datasets-api.ts';

type Props = { readonly dataset: Dataset; readonly onClose: () => void };

const textOf = (schema: Dataset['inputSchema']): string =>
  schema === null ? '' : JSON.stringify(schema, null, 2);

/** A schema as the form has it. @throws Error for a text that is no JSON */
function schemaOf(text: string, label: string): Record<string, unknown> | null {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}

/** The schemas that new items of a dataset must fit. */
export function SchemasDialog({ dataset, onClose }: Props): JSX.Element {
  const { id, name, description } = dataset;
  const projectId = useProjectId();
  const form = useSubmit(async ({ input = '', expected = '' }) => {
    const body = {
      name,
      description,
      inputSchema: schemaOf(input, 'Input'),
      expectedSchema: schemaOf(expected, 'Expected output'),
    };
    await send(putDatasetApi, { params: { id }, query: { projectId }, body });
    await refresh(...CHANGED);
    onClose();
  });
  return (
    <FormDialog title="Schemas of items" form={form} submit="Save" onClose={onClose}>
      <p className="dim">
        JSON Schemas that new and changed items must fit. Items that are there stay. Empty: anything fits.
      </p>
      <Textarea
        label="Input"
        name="input"
        defaultValue={textOf(dataset.inputSchema)}
        autosize
        minRows={4}
        maxRows={14}
        data-autofocus
      />
      <Textarea
        label="Expected output"
        name="expected"
        defaultValue={textOf(dataset.expectedSchema)}
        autosize
        minRows={4}
        maxRows={14}
      />
    </FormDialog>
  );
}
