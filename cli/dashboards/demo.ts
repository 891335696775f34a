import type { App } from '../../src/app.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import type { DashboardBody } from '../../src/features/dashboards/contract.ts';
import type { Actor } from '../../src/module.ts';

type Tile = DashboardBody['tiles'][number];
const tile = (
  id: string,
  draft: Partial<Tile> & Omit<Tile, 'id' | 'groupBy' | 'filter' | 'limit'>,
): Tile => ({
  ...{ id, groupBy: [], filter: '', limit: 6 },
  ...draft,
});

/** What the people of the assistant look at each day: money by feature, what users say, and what is slow. */
const TILES: readonly Tile[] = [
  tile('cost', { title: 'Cost', kind: 'number', measures: ['cost'], x: 0, y: 0, w: 3, h: 2 }),
  tile('calls', { title: 'Calls', kind: 'number', measures: ['requests'], x: 3, y: 0, w: 3, h: 2 }),
  tile('errors', { title: 'Error rate', kind: 'number', measures: ['errorRate'], x: 6, y: 0, w: 3, h: 2 }),
  tile('cached', { title: 'Cache rate', kind: 'number', measures: ['cacheRate'], x: 9, y: 0, w: 3, h: 2 }),
  tile('features', {
    ...{ title: 'Cost by feature', kind: 'bars', measures: ['cost'], groupBy: ['tag:feature'] },
    ...{ x: 0, y: 2, w: 6, h: 5 },
  }),
  tile('latency', {
    ...{ title: 'p95 latency by model', kind: 'line', measures: ['latencyP95'], groupBy: ['model'] },
    ...{ x: 6, y: 2, w: 6, h: 5 },
  }),
  tile('releases', {
    ...{ title: 'Releases', kind: 'table', groupBy: ['release'], limit: 10 },
    measures: ['requests', 'cost', 'errorRate', 'latencyP95'],
    ...{ x: 0, y: 7, w: 6, h: 4 },
  }),
  tile('helpful', {
    ...{ title: 'Answers that users call helpful', kind: 'line', measures: ['score:helpful'] },
    ...{ x: 6, y: 7, w: 6, h: 4 },
  }),
];

/** Gives the demo a dashboard of its own. */
export const createDemoDashboard = async (
  app: App,
  { id: project }: ProjectRow,
  actor: Actor,
): Promise<void> => {
  const { importDashboardAction } = await import('../../src/features/dashboards/index.ts');
  const dashboard = { name: 'Assistant, day by day', shared: true, tiles: [...TILES] };
  await app.act(importDashboardAction, { project, dashboard }, actor);
};
