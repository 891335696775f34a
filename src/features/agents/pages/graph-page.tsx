import { type JSX, lazy, Suspense } from 'react';
import { costColumn } from '../../../core/pricing/money.tsx';
import { useApi } from '../../../dashboard/shell/api.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { countText, numberText } from '../../../lib/figures.ts';
import type { GraphReply } from '../contract.ts';
import { graphApi } from './agents-api.ts';
import { countColumn, failedColumn, timeColumn } from './columns.tsx';
import { NodeLink } from './node-link.tsx';

/** The drawing is loaded with the first graph. */
const GraphView = lazy(async () => ({ default: (await import('./graph-view.tsx')).GraphView }));

type Edge = GraphReply['edges'][number];

/** What agents and tools call, as a drawing and as a table. */
export function GraphPage(): JSX.Element {
  const { params, every } = useScope('agents/graph');
  const { projectId, start, end, environment } = params;
  const graph = useApi(graphApi, { query: { projectId, start, end, environment } }, { every });
  return (
    <Page title="Agent graph" back={<ProjectLink page="agents">Agents</ProjectLink>}>
      <Loaded of={graph} loading={<LoadingRows rows={10} />}>
        {({ nodes, otherNodes, edges, others }) =>
          edges.length === 0 ? (
            <Panel flush>
              <Notice icon="users" title="No calls between agents, tools and models in this time">
                Send <code>parent_span_id</code> and <code>agent</code> or <code>tool</code> with your events.
              </Notice>
            </Panel>
          ) : (
            <div className="stack">
              <Panel flush title="Calls" detail={detailOf(nodes.length, otherNodes, others)}>
                <Suspense fallback={<LoadingRows rows={10} />}>
                  <GraphView nodes={nodes} edges={edges} />
                </Suspense>
              </Panel>
              <Panel flush title="As a table">
                <DataTable
                  label="Calls between agents, tools and models"
                  phone={['from', 'to', 'calls', 'failed']}
                  columns={COLUMNS}
                  rows={edges}
                  rowKey={({ from, to }) => `${from} ${to}`}
                  sort={{ id: 'calls', desc: true }}
                />
              </Panel>
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function detailOf(nodes: number, otherNodes: GraphReply['otherNodes'], others: GraphReply['others']): string {
  const left = [
    ...(otherNodes === undefined
      ? []
      : [`${countText(otherNodes.nodes, 'other node')} (called ${numberText(otherNodes.calls)} times)`]),
    ...(others.edges === 0
      ? []
      : [`${countText(others.edges, 'connection')} with few calls (${numberText(others.calls)} in all)`]),
  ];
  const all = `${countText(nodes, 'node')}, from all traces; point at one to see the figures of its calls`;
  return left.length === 0 ? all : `${all}; ${left.join(' and ')} not shown`;
}

/** The kind and name of a node's id. */
function partsOf(id: string): { kind: 'agent' | 'tool' | 'model'; name: string } {
  const colon = id.indexOf(':');
  return { kind: id.slice(0, colon) as 'agent' | 'tool' | 'model', name: id.slice(colon + 1) };
}

const COLUMNS: Column<Edge>[] = [
  {
    id: 'from',
    header: 'Caller',
    wide: true,
    value: ({ from }) => from,
    cell: ({ from }) => <NodeLink {...partsOf(from)} />,
  },
  {
    id: 'to',
    header: 'Calls',
    wide: true,
    value: ({ to }) => to,
    cell: ({ to }) => <NodeLink {...partsOf(to)} />,
  },
  { id: 'kind', header: 'Kind', value: ({ to }) => partsOf(to).kind, cell: ({ to }) => partsOf(to).kind },
  countColumn('calls', 'Count', ({ calls }) => calls),
  failedColumn(({ errors, calls }) => ({ failed: errors, all: calls })),
  timeColumn('latencyP50', 'Median', ({ latencyP50 }) => latencyP50),
  timeColumn('latencyP95', 'p95', ({ latencyP95 }) => latencyP95),
  {
    ...costColumn<Edge>(({ to, cost, unpriced, calls }) => ({
      usd: cost,
      unpriced,
      calls: partsOf(to).kind === 'model' ? calls : 0,
    })),
    value: ({ cost }) => cost,
  },
];
