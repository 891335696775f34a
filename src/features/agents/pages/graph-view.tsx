import { useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import {
  Background,
  Controls,
  type Edge,
  MarkerType,
  type Node,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import style from '@xyflow/react/dist/style.css' with { type: 'text' };
import { type JSX, useEffect, useMemo, useRef, useState } from 'react';
import { pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { compactText, durationText, moneyText, percentText } from '../../../lib/figures.ts';
import type { GraphReply } from '../contract.ts';
import css from './agents.module.css';
import { layoutGraph, NODE_WIDTH, type Place, ROW } from './layout-graph.ts';

/** The library's styles come with the graph: a style sheet of its own would be part of the first visit. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(String(style));
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

type Props = Pick<GraphReply, 'nodes' | 'edges'>;
type GraphNode = GraphReply['nodes'][number];
type GraphEdge = GraphReply['edges'][number];

/** With more lines, their labels would cover boxes and each other. */
const MOST_LABELS = 12;
/** Pixels of the page for a row of boxes, so that their text can be read. */
const ROW_HEIGHT = 48;
const FIT = { padding: 0.04 };
const HEIGHTS = { least: 360, most: 1_200 };

const COLOURS = {
  agent: 'var(--sl-chart-1)',
  tool: 'var(--sl-chart-2)',
  model: 'var(--sl-chart-3)',
} as const;

/**
 * Agents, tools and models as boxes, calls as lines whose width grows with their number. While a box is pointed at, the
 * boxes at the other ends of its lines say the figures of these.
 */
export function GraphView({ nodes, edges }: Props): JSX.Element {
  const navigate = useNavigate();
  const projectId = useProjectId();
  const scheme = useComputedColorScheme('light');
  const [active, setActive] = useState<string | null>(null);
  const places = useMemo(() => layoutGraph([...nodes], [...edges]), [nodes, edges]);
  const boxes = useMemo(
    () => nodes.map((node) => toNode(node, places.get(node.id), linesAt(edges, active, node.id))),
    [nodes, edges, places, active],
  );
  const lines = useMemo(() => toEdges(edges, active), [edges, active]);
  const box = useRef<HTMLDivElement>(null);
  const [flow, setFlow] = useState<ReactFlowInstance | null>(null);
  // All of it stays in sight when the window changes its size.
  useEffect(() => {
    if (flow === null || box.current === null) return;
    const observer = new ResizeObserver(() => void flow.fitView(FIT));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [flow]);
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
    <div ref={box} className={css.graph} style={shapeOf(places)}>
      <ReactFlow
        nodes={boxes}
        edges={lines}
        colorMode={scheme}
        fitView
        fitViewOptions={FIT}
        onInit={setFlow}
        minZoom={0.1}
        nodesConnectable={false}
        nodesDraggable={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_, { id }) => open(id)}
        onNodeMouseEnter={(_, { id }) => setActive(id)}
        onNodeMouseLeave={() => setActive(null)}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

/** As high as its tallest column needs, and no higher than its width allows on a small screen. */
function shapeOf(places: ReadonlyMap<string, Place>): { maxHeight: number; aspectRatio: number } {
  const all = [...places.values()];
  const [width, height] = [
    Math.max(...all.map(({ x }) => x)) + NODE_WIDTH,
    Math.max(...all.map(({ y }) => y)) + ROW,
  ];
  const rows = height / ROW;
  return {
    maxHeight: Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, rows * ROW_HEIGHT)),
    aspectRatio: width / height,
  };
}

/** What a box says about its lines to the active box; null if it has none; undefined while no box is active. */
function linesAt(edges: readonly GraphEdge[], active: string | null, id: string): string | null | undefined {
  if (active === null || active === id) return undefined;
  const called = edges.find(({ from, to }) => from === active && to === id);
  const calls = edges.find(({ from, to }) => from === id && to === active);
  const texts = [called && `called ${figuresOf(called)}`, calls && `calls it ${figuresOf(calls)}`];
  return texts.filter((text) => text !== undefined).join('; ') || null;
}

function toNode(
  { id, kind, name, calls, errors, cost, modelCalls, unpriced }: GraphNode,
  position: Place | undefined,
  lines: string | null | undefined,
): Node {
  const own = [
    kind,
    calls === 1 ? '1 call' : `${compactText(calls)} calls`,
    ...(errors > 0 ? [`${percentText(errors / calls)} failed`] : []),
    ...costTexts(cost, { unpriced, calls: modelCalls }),
  ].join(' · ');
  const border = { borderColor: COLOURS[kind], borderWidth: 2 };
  return {
    id,
    position: position ?? { x: 0, y: 0 },
    sourcePosition: Position.Right,
    targetPosition: Position.Left,
    style: {
      ...{ width: NODE_WIDTH, padding: 6, textAlign: 'left', ...border },
      ...(lines === null && { opacity: 0.3 }),
    },
    ariaLabel: `${kind} ${name}`,
    data: {
      label: (
        <>
          <div className={css.node} title={name}>
            <strong>{name || 'unknown model'}</strong>
          </div>
          <div className={css.node} title={lines ?? own}>
            {lines ?? own}
          </div>
        </>
      ),
    },
  };
}

/** What calls of models cost; at least that much, or nothing known, where some have no price. */
function costTexts(cost: number, { unpriced, calls }: { unpriced: number; calls: number }): string[] {
  if (unpriced === 0) return cost > 0 ? [moneyText(cost)] : [];
  return [unpriced >= calls ? 'unpriced' : `≥ ${moneyText(cost)}`];
}

const figuresOf = ({ calls, errors, latencyP50, cost, unpriced }: GraphEdge): string =>
  [
    `${compactText(calls)}×`,
    ...(errors > 0 ? [`${percentText(errors / calls)} failed`] : []),
    ...(latencyP50 === null ? [] : [durationText(latencyP50)]),
    ...costTexts(cost, { unpriced, calls }),
  ].join(' · ');

/** @param active the box that is pointed at: its lines stand out */
function toEdges(edges: readonly GraphEdge[], active: string | null): Edge[] {
  const most = Math.max(1, ...edges.map(({ calls }) => calls));
  return edges.map((edge) => {
    const { from, to, calls, errors } = edge;
    const isOther = active !== null && from !== active && to !== active;
    return {
      id: `${from} ${to}`,
      source: from,
      target: to,
      ...(edges.length <= MOST_LABELS && { label: figuresOf(edge) }),
      markerEnd: { type: MarkerType.ArrowClosed },
      style: {
        strokeWidth: 1 + 3 * Math.sqrt(calls / most),
        ...(isOther && { opacity: 0.15 }),
        ...(errors / calls > 0.05 && { stroke: 'var(--sl-chart-bad)' }),
      },
    };
  });
}
