import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { SparkBars } from '../../../dashboard/ui/charts/spark-bars.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { agoText, timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { CsvButton } from '../../../dashboard/ui/table/csv-button.tsx';
import { countText, numberText } from '../../../lib/figures.ts';
import type { ToolsReply } from '../contract.ts';
import { listToolsApi } from './agents-api.ts';
import { countColumn, failedColumn, timeColumn } from './columns.tsx';
import { NodeLink } from './node-link.tsx';

type Tool = ToolsReply['tools'][number];

/** The tools that events name, with failures, latency and callers. */
export function ToolsPage(): JSX.Element {
  const { params, zone, every } = useScope('tools');
  const { projectId, start, end, environment } = params;
  const tools = useApi(listToolsApi, { query: { projectId, start, end, environment } }, { every });
  const columns = columnsFor(zone);
  return (
    <Page
      title="Tools"
      actions={<CsvButton name="tools" columns={columns} rows={() => ({ rows: tools.data?.tools ?? [] })} />}
    >
      <Panel flush>
        <Loaded of={tools} loading={<LoadingRows />}>
          {({ tools: found, otherTools }) =>
            found.length === 0 ? (
              <Notice icon="settings" title="No tools in this time">
                Send spans of kind <code>tool</code> with the field <code>tool</code>. OTLP spans name their
                tool in <code>gen_ai.tool.name</code>.
              </Notice>
            ) : (
              <>
                <DataTable
                  label="Tools"
                  phone={['tool', 'calls', 'failed']}
                  columns={columns}
                  rows={found}
                  rowKey={({ name }) => name}
                  sort={{ id: 'calls', desc: true }}
                />
                {otherTools !== undefined && (
                  <p className="panel-note dim">
                    These are the {numberText(found.length)} most called tools.{' '}
                    {countText(otherTools.tools, 'other')} with {countText(otherTools.calls, 'call')} are not
                    listed: choose less time or an environment to see them.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      </Panel>
      <p className="dim">Figures cover whole hours.</p>
    </Page>
  );
}

const columnsFor = (zone: Zone): Column<Tool>[] => [
  {
    id: 'tool',
    header: 'Tool',
    wide: true,
    value: ({ name }) => name,
    csv: { header: 'tool', value: ({ name }) => name },
    cell: ({ name }) => <NodeLink kind="tool" name={name} className="row-link" />,
  },
  { id: 'trend', header: 'Calls by day', cell: ({ series }) => <SparkBars values={series} tone="neutral" /> },
  countColumn('calls', 'Calls', ({ calls }) => calls),
  failedColumn(({ errors, calls }) => ({ failed: errors, all: calls })),
  timeColumn('latencyP50', 'Median', ({ latencyP50 }) => latencyP50),
  timeColumn('latencyP95', 'p95', ({ latencyP95 }) => latencyP95),
  {
    id: 'callers',
    header: 'Called by',
    wraps: true,
    value: ({ callers }) => callers.length,
    csv: { header: 'callers', value: ({ callers }) => callers.join(', ') },
    cell: ({ callers }) =>
      callers.length === 0 ? <span className="dim">unknown</span> : callers.slice(0, 5).join(', '),
  },
  {
    id: 'last',
    header: 'Last seen',
    value: ({ lastSeen }) => lastSeen ?? '',
    csv: { header: 'last_seen', value: ({ lastSeen }) => lastSeen },
    cell: ({ lastSeen }) =>
      lastSeen === null ? (
        '–'
      ) : (
        <span title={timeText.full(lastSeen, zone)}>{agoText(lastSeen, Date.now())}</span>
      ),
  },
];
