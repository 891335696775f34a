import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type JSX, lazy, Suspense, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { countText } from '../../../lib/figures.ts';
import type { Dataset, DatasetItem, DatasetVersion } from '../contract.ts';
import {
  datasetApi,
  deleteDatasetApi,
  listDatasetsApi,
  listItemsApi,
  listVersionsApi,
} from './datasets-api.ts';

const SchemasDialog = lazy(async () => ({ default: (await import('./schemas-dialog.tsx')).SchemasDialog }));
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }));

/** A dataset: its items at a version, and what its versions changed. */
export function DatasetPage(): JSX.Element {
  const { datasetId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const dataset = useApi(datasetApi, { params: { id }, query: { projectId } });
  const back = <ProjectLink page="datasets">Datasets</ProjectLink>;
  return (
    <Page
      title={dataset.data?.name ?? 'Dataset'}
      back={back}
      actions={dataset.data && <Actions dataset={dataset.data} />}
      scoped={false}
    >
      <Loaded of={dataset} loading={<LoadingRows rows={12} />}>
        {(data) => <Body dataset={data} />}
      </Loaded>
    </Page>
  );
}

function Body({ dataset }: { readonly dataset: Dataset }): JSX.Element {
  const { id, description, items, version, splits } = dataset;
  const projectId = useProjectId();
  const { search } = useScope('datasets/$datasetId');
  const setSearch = useSetSearch<'datasets/$datasetId'>();
  const asked = Number(search.version) || undefined;
  const query = { projectId, version: asked, split: search.split, q: search.q };
  const pages = usePages(listItemsApi, { params: { id }, query });
  const named = splits.flatMap(({ name }) => name ?? []);
  return (
    <div className="stack">
      {description !== '' && <p className="dim">{description}</p>}
      <div className="inline-form">
        <TextInput
          size="xs"
          aria-label="Search items"
          placeholder="Text in an item"
          defaultValue={search.q ?? ''}
          onChange={({ currentTarget: { value } }) => setSearch({ q: value.trim() || undefined })}
        />
        {named.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label="Split"
            data={[{ value: '', label: 'All splits' }, ...named.map((value) => ({ value, label: value }))]}
            value={search.split ?? ''}
            onChange={({ currentTarget: { value } }) => setSearch({ split: value || undefined })}
          />
        )}
        <span className="dim">
          {asked === undefined
            ? `${countText(items, 'item')}, version ${version}`
            : `Version ${asked} of ${version}`}
        </span>
        {asked !== undefined && (
          <Button size="xs" variant="default" onClick={() => setSearch({ version: undefined })}>
            Show the newest
          </Button>
        )}
      </div>
      <Paged
        pages={pages}
        rowsOf={(page) => page.items}
        more="More items"
        empty={<Notice title={search.q === undefined ? 'No items yet' : 'No item matches'} />}
      >
        {(rows) => <DataTable label="Items" columns={ITEM_COLUMNS} rows={rows} rowKey={(row) => row.id} />}
      </Paged>
      <Versions id={id} onShow={(shown) => setSearch({ version: String(shown) })} />
    </div>
  );
}

const MOST_SHOWN = 300;
const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === null ? '–' : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

const ITEM_COLUMNS = withCells<DatasetItem>([
  { id: 'no', header: 'No.', align: 'right', value: ({ no }) => no },
  { id: 'input', header: 'Input', wide: true, wraps: true, value: ({ input }) => short(input) },
  {
    id: 'expected',
    header: 'Expected output',
    wraps: true,
    value: ({ expectedOutput }) => short(expectedOutput),
  },
  { id: 'split', header: 'Split', value: ({ split }) => split ?? '–' },
  {
    id: 'source',
    header: 'Source',
    value: ({ sourceTraceId }) => sourceTraceId ?? '–',
    cell: ({ sourceTraceId }) =>
      sourceTraceId === null ? (
        '–'
      ) : (
        <ProjectLink page="traces/$traceId" params={{ traceId: sourceTraceId }}>
          Trace
        </ProjectLink>
      ),
  },
]);

type VersionsProps = { readonly id: string; readonly onShow: (version: number) => void };

function Versions({ id, onShow }: VersionsProps): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const pages = usePages(listVersionsApi, { params: { id }, query: { projectId } });
  return (
    <Panel title="Versions" flush>
      <Paged
        pages={pages}
        rowsOf={({ versions }) => versions}
        more="Older versions"
        empty={<Notice title="Each change of the items makes a version" />}
      >
        {(versions) => (
          <DataTable
            label="Versions"
            rows={versions}
            rowKey={({ version }) => String(version)}
            columns={withCells<DatasetVersion>([
              {
                id: 'version',
                header: 'Version',
                value: ({ version }) => version,
                cell: ({ version }) => (
                  <Button size="compact-xs" variant="default" onClick={() => onShow(version)}>
                    Version {version}
                  </Button>
                ),
              },
              { id: 'added', header: 'Added', align: 'right', value: ({ added }) => added },
              { id: 'changed', header: 'Changed', align: 'right', value: ({ changed }) => changed },
              { id: 'removed', header: 'Removed', align: 'right', value: ({ removed }) => removed },
              { id: 'message', header: 'Message', wide: true, value: ({ message }) => message },
              { id: 'by', header: 'By', value: ({ createdBy }) => createdBy ?? 'somebody who left' },
              {
                id: 'at',
                header: 'Time',
                value: ({ createdAt }) => createdAt,
                cell: ({ createdAt }) => timeText.minute(Date.parse(createdAt), zone),
              },
            ])}
          />
        )}
      </Paged>
    </Panel>
  );
}

function Actions({ dataset }: { readonly dataset: Dataset }): JSX.Element | false {
  const { id, name } = dataset;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const [isImporting, setIsImporting] = useState(false);
  const [hasSchemas, setHasSchemas] = useState(false);
  const remove = useChange({
    failed: 'The dataset was not deleted',
    send: async () => {
      await send(deleteDatasetApi, { params: { id }, query: { projectId } });
      await navigate({ to: pagePath(projectId, 'datasets') });
    },
    stale: [listDatasetsApi],
  });
  const file = `/v1/datasets/${encodeURIComponent(id)}/export?${new URLSearchParams({ projectId, format: 'jsonl' })}`;
  return (
    <>
      <Button size="xs" variant="default" component="a" href={file}>
        Export
      </Button>
      {may('member') && (
        <Button size="xs" variant="default" onClick={() => setHasSchemas(true)}>
          Schemas
        </Button>
      )}
      {may('member') && (
        <Button size="xs" onClick={() => setIsImporting(true)}>
          Import
        </Button>
      )}
      {may('member') && (
        <Confirm
          label="Delete"
          size="xs"
          title={`Delete ${name}?`}
          word={name}
          confirm="Delete dataset"
          onConfirm={() => remove.mutate()}
        >
          All versions are deleted. Experiments keep their results, but cannot be repeated.
        </Confirm>
      )}
      {hasSchemas && (
        <Suspense>
          <SchemasDialog dataset={dataset} onClose={() => setHasSchemas(false)} />
        </Suspense>
      )}
      {isImporting && (
        <Suspense>
          <ImportDialog datasetId={id} onClose={() => setIsImporting(false)} />
        </Suspense>
      )}
    </>
  );
}
