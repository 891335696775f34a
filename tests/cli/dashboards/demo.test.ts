import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createDemoDashboard } from '../../../cli/dashboards/demo.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import type { Dashboard } from '../../../src/features/dashboards/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('everybody in the demo sees its dashboard, whose tiles do not overlap', async () => {
  const { projectId } = app.seed;
  await createDemoDashboard(app.app, await findProject(app.ctx, projectId), { kind: 'system', name: 'demo' });
  const { bearer } = await app.addUser('viewer');
  const read = async <T>(path: string): Promise<T> =>
    (await (await app.fetch(`/v1/dashboards${path}?projectId=${projectId}`, { bearer })).json()) as T;
  const { dashboards } = await read<{ dashboards: { id: string; name: string }[] }>('');
  expect(dashboards.map(({ name }) => name)).toEqual(['Assistant, day by day']);
  const { tiles } = await read<Dashboard>(`/${dashboards[0]?.id}`);
  const cells = tiles.flatMap(({ x, y, w, h }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(cells.length).toBe(12 * 11);
});
