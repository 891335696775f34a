import { expect, test } from 'bun:test';
import { openTestApp } from '../../helpers/app.ts';

test('a window may be a hundred years long, but not ten thousand', async () => {
  const app = await openTestApp();
  const { bearer, projectId } = app.seed;
  const paths = ['overview', 'costs', 'performance', 'errors'].map((name) =>
    name === 'overview' ? `/v1/projects/${projectId}/overview?` : `/v1/${name}?projectId=${projectId}&`,
  );
  for (const path of paths) {
    const all = await app.fetch(`${path}start=0001-01-01&end=9999-12-31`, { bearer });
    expect(all.status).toBe(400);
    expect(await all.json()).toEqual({ error: 'start: must not be more than 100 years before end' });
    expect((await app.fetch(`${path}start=1970-01-01`, { bearer })).status).toBe(200);
  }
  await app.close();
});
