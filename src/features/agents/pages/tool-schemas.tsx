import type { JSX } from 'react';
import type { ToolProperty, ToolSchema } from '../../../core/tool-schemas/contract.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { changesText } from '../../../lib/schema/changes-text.ts';

type Props = { readonly schemas: readonly ToolSchema[]; readonly zone: string };

/** The properties of a tool's arguments as last seen, and how they changed. */
export function ToolSchemas({ schemas, zone }: Props): JSX.Element {
  const [newest] = schemas;
  if (newest === undefined)
    return (
      <Panel title="Schema" flush>
        <Notice title="No call of a model has named its schema">
          Clients send it as <code>gen_ai.tool.definitions</code>.
        </Notice>
      </Panel>
    );
  return (
    <>
      <Panel title="Schema as last seen" flush>
        {newest.properties.length === 0 ? (
          <Notice title="It takes no arguments" />
        ) : (
          <DataTable
            label="Schema as last seen"
            columns={PROPERTIES}
            rows={newest.properties}
            rowKey={({ path }) => path}
          />
        )}
      </Panel>
      {schemas.length > 1 && (
        <Panel title="Changes of the schema" flush>
          <DataTable
            label="Changes of the schema"
            columns={versionColumns(zone)}
            rows={schemas}
            rowKey={({ id, firstSeen }) => `${id} ${firstSeen}`}
          />
        </Panel>
      )}
    </>
  );
}

const PROPERTIES: Column<ToolProperty>[] = [
  {
    id: 'path',
    header: 'Property',
    wide: true,
    value: ({ path }) => path,
    cell: ({ path }) => <code>{path}</code>,
  },
  { id: 'type', header: 'Type', value: ({ type }) => type, cell: ({ type }) => type },
  {
    id: 'required',
    header: 'Required',
    value: ({ required }) => Number(required),
    cell: ({ required }) => (required ? 'Required' : 'Optional'),
  },
];

const versionColumns = (zone: string): Column<ToolSchema>[] => [
  { id: 'id', header: 'Version', value: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
  {
    id: 'first',
    header: 'First seen',
    value: ({ firstSeen }) => firstSeen,
    cell: ({ firstSeen }) => <span className="num">{timeText.minute(firstSeen, zone)}</span>,
  },
  {
    id: 'last',
    header: 'Last seen',
    value: ({ lastSeen }) => lastSeen,
    cell: ({ lastSeen }) => <span className="num">{timeText.minute(lastSeen, zone)}</span>,
  },
  {
    id: 'changes',
    header: 'Changes',
    wide: true,
    value: changesText,
    cell: changesText,
  },
];
