import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { QualityTabs } from '../../../dashboard/shell/quality-tabs.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { listDefinitionsEndpoint, ScoreDefinition } from '../contract.ts';
import { DefinitionDialog } from './definition-dialog.tsx';

const listApi = endpointOf<typeof listDefinitionsEndpoint>('GET /v1/score-definitions');

/** What the scores of a project may be. */
export function ScoreDefinitionsPage(): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const [editing, setEditing] = useState<ScoreDefinition | 'new' | null>(null);
  const list = useApi(listApi, { query: { projectId } });
  const add = may('member') && <Button onClick={() => setEditing('new')}>New score</Button>;
  return (
    <Page title="Scores" actions={add} scoped={false}>
      <QualityTabs />
      <Panel flush>
        <Loaded of={list} loading={<LoadingRows rows={4} height={49} />}>
          {({ definitions }) =>
            definitions.length === 0 ? (
              <Notice icon="check" title="No scores yet">
                A score says how good a trace or session is: a number, yes or no, or a word. The first score
                of a name defines it; define it here to set a range or words.
              </Notice>
            ) : (
              <DataTable
                label="Scores"
                columns={columnsOf(may('member') ? setEditing : null)}
                rows={definitions}
                rowKey={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
      {editing !== null && (
        <DefinitionDialog definition={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Page>
  );
}

const TYPES = { numeric: 'number', boolean: 'yes or no', category: 'word' } as const;
const GOOD = { higher: 'high', lower: 'low', none: 'neither' } as const;
const GOOD_ANSWER = { higher: 'yes', lower: 'no', none: 'neither' } as const;

function valuesText({ type, min, max, categories }: ScoreDefinition): string {
  if (type === 'category') return categories?.join(', ') ?? 'any text';
  if (type === 'boolean') return 'yes, no';
  return min === null && max === null ? 'any number' : `${min ?? '…'} to ${max ?? '…'}`;
}

const columnsOf = (edit: ((definition: ScoreDefinition) => void) | null) =>
  withCells<ScoreDefinition>([
    {
      id: 'name',
      header: 'Score',
      wide: true,
      wraps: true,
      value: ({ name }) => name,
      cell: ({ name, description }) => (
        <>
          {name}
          {description !== '' && (
            <>
              <br />
              <span className="dim">{description}</span>
            </>
          )}
        </>
      ),
    },
    { id: 'type', header: 'Type', value: ({ type }) => TYPES[type] },
    { id: 'values', header: 'Values', wraps: true, value: valuesText },
    {
      id: 'good',
      header: 'Good',
      value: ({ type, direction }) => (type === 'boolean' ? GOOD_ANSWER : GOOD)[direction],
    },
    { id: 'measure', header: 'Measure', value: ({ name }) => `score:${name}` },
    ...(edit === null
      ? []
      : [
          {
            id: 'edit',
            header: '',
            cell: (definition: ScoreDefinition) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Edit ${definition.name}`}
                onClick={() => edit(definition)}
              >
                Edit
              </Button>
            ),
          },
        ]),
  ]);
