import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { numberText } from '../../../lib/figures.ts';
import type { Dataset } from '../contract.ts';
import { createDatasetApi, listDatasetsApi } from './datasets-api.ts';

/** The datasets of a project. */
export function DatasetsPage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const [isNew, setIsNew] = useState(false);
  const pages = usePages(listDatasetsApi, { query: { projectId } });
  const add = may('member') && <Button onClick={() => setIsNew(true)}>New dataset</Button>;
  return (
    <Page title="Datasets" actions={add} scoped={false}>
      <Paged
        pages={pages}
        rowsOf={({ datasets }) => datasets}
        more="More datasets"
        empty={
          <Notice icon="table" title="No datasets yet">
            A dataset has inputs with the answers that you expect. Import a CSV file or add items through the
            API, then compare prompts and models on it.
          </Notice>
        }
      >
        {(datasets) => (
          <DataTable label="Datasets" columns={columnsOf(zone)} rows={datasets} rowKey={({ id }) => id} />
        )}
      </Paged>
      {isNew && <NewDataset onClose={() => setIsNew(false)} />}
    </Page>
  );
}

const columnsOf = (zone: Zone): Column<Dataset>[] =>
  withCells([
    {
      id: 'name',
      header: 'Dataset',
      wide: true,
      value: ({ name }) => name,
      cell: ({ id, name, description }) => (
        <>
          <ProjectLink
            page="datasets/$datasetId"
            params={{ datasetId: id }}
            className="row-link"
            title={name}
          >
            {name}
          </ProjectLink>
          {description !== '' && (
            <>
              <br />
              <span className="dim clip">{description}</span>
            </>
          )}
        </>
      ),
    },
    {
      id: 'items',
      header: 'Items',
      align: 'right',
      value: ({ items }) => items,
      cell: ({ items }) => numberText(items),
    },
    { id: 'version', header: 'Version', align: 'right', value: ({ version }) => version },
    {
      id: 'splits',
      header: 'Splits',
      value: ({ splits }) => splits.length,
      cell: ({ splits }) =>
        splits.flatMap(({ name, items }) => (name === null ? [] : `${name} ${items}`)).join(', ') || '–',
    },
    {
      id: 'changed',
      header: 'Changed',
      value: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => timeText.minute(Date.parse(updatedAt), zone),
    },
  ]);

function NewDataset({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const form = useSubmit(async ({ name = '', description = '' }) => {
    const { id } = await send(createDatasetApi, { query: { projectId }, body: { name, description } });
    await refresh(listDatasetsApi);
    await navigate({ to: pagePath(projectId, 'datasets/$datasetId', { datasetId: id }) });
  });
  return (
    <FormDialog title="New dataset" form={form} submit="Create dataset" onClose={onClose}>
      <TextInput label="Name" name="name" required maxLength={200} data-autofocus />
      <TextInput label="Description" name="description" maxLength={2_000} />
    </FormDialog>
  );
}
