import { useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Background, Controls, type Edge, MarkerType, type Node, Position, ReactFlow } from '@xyflow/react';
import style from '@xyflow/react/dist/style.css' with { type: 'text' };
import { type JSX, useMemo } from 'react';
import { pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { compactText, durationText, moneyText, percentText } from '../../../lib/figures.ts';
import type { GraphReply } from '../contract.ts';
import css from './agents.module.css';
import { layoutGraph, NODE_WIDTH } from './layout-graph.ts';

/** The library's styles come with the graph: a style sheet of its own would be part of the first visit. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(String(style));
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

type Props = Pick<GraphReply, 'nodes' | 'edges'>;
type GraphNode = GraphReply['nodes'][number];
type GraphEdge = GraphReply['edges'][number];

/** With more lines, their labels would cover each other; the table says what they say. */
const MOST_LABELS = 60;

const COLOURS = {
  agent: 'var(--sl-chart-1)',
  tool: 'var(--sl-chart-2)',
  model: 'var(--sl-chart-3)',
} as const;

/** Agents, tools and models as boxes, calls as lines whose width grows with their number. */
export function GraphView({ nodes, edges }: Props): JSX.Element {
  const navigate = useNavigate();
  const projectId = useProjectId();
  const scheme = useComputedColorScheme('light');
  const flow = useMemo(() => ({ nodes: toNodes(nodes, edges), edges: toEdges(edges) }), [nodes, edges]);
  const open = (id: string): void => {
    const [kind = '', name] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
    const page = kind === 'agent' ? 'agents/$agentName' : kind === 'tool' ? 'tools/$toolName' : null;
    if (page === null) return;
    void navigate({
      to: pagePath(projectId, page, kind === 'agent' ? { agentName: name } : { toolName: name }),
      search: (before) => before,
    });
  };
  return (
    <div className={css.graph}>
      <ReactFlow
        nodes={flow.nodes}
        edges={flow.edges}
        colorMode={scheme}
        fitView
        minZoom={0.1}
        nodesConnectable={false}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_, { id }) => open(id)}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

function toNodes(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Node[] {
  const places = layoutGraph([...nodes], [...edges]);
  return nodes.map(({ id, kind, name, calls, errors, cost }) => ({
    id,
    position: places.get(id) ?? { x: 0, y: 0 },
    sourcePosition: Position.Right,
    targetPosition: Position.Left,
    style: { width: NODE_WIDTH, padding: 6, borderColor: COLOURS[kind], borderWidth: 2, textAlign: 'left' },
    ariaLabel: `${kind} ${name}`,
    data: {
      label: (
        <>
          <div className={css.node} title={name}>
            <strong>{name || 'unknown model'}</strong>
          </div>
          <div className={css.node}>
            {kind} · {compactText(calls)} calls
            {errors > 0 && ` · ${percentText(errors / calls)} failed`}
            {cost > 0 && ` · ${moneyText(cost)}`}
          </div>
        </>
      ),
    },
  }));
}

function toEdges(edges: readonly GraphEdge[]): Edge[] {
  const most = Math.max(1, ...edges.map(({ calls }) => calls));
  return edges.map(({ from, to, calls, errors, latencyP50, cost }) => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    ...(edges.length <= MOST_LABELS && {
      label: [
        compactText(calls),
        ...(errors > 0 ? [`${percentText(errors / calls)} failed`] : []),
        ...(latencyP50 === null ? [] : [durationText(latencyP50)]),
        ...(cost > 0 ? [moneyText(cost)] : []),
      ].join(' · '),
    }),
    markerEnd: { type: MarkerType.ArrowClosed },
    style: {
      strokeWidth: 1 + 3 * Math.sqrt(calls / most),
      ...(errors / calls > 0.05 && { stroke: 'var(--sl-chart-bad)' }),
    },
  }));
}
