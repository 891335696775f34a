import { afterEach, beforeEach, expect, test } from 'bun:test';
import { runJob } from '../../../src/core/jobs/index.ts';
import { extendScope } from '../../../src/core/tenancy/index.ts';
import { recordCounted } from '../../../src/core/usage/index.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import type { Job } from '../../../src/module.ts';
import { anEvent, type JobFixture, openJobFixture } from '../../core/jobs/fixture.ts';

const [job] = retentionModule.jobs as [Job];
let fixture: JobFixture;
beforeEach(() => {
  fixture = openJobFixture(Date.UTC(2026, 0, 1), [retentionModule]);
});
afterEach(() => fixture.close());

test.each([
  ['2026-01-31T23:59:59.999Z', '2026-01', '2026-02'],
  ['2027-02-28T23:59:59.999Z', '2027-02', '2027-03'],
  ['2028-02-29T23:59:59.999Z', '2028-02', '2028-03'],
  ['2026-03-31T23:59:59.999Z', '2026-03', '2026-04'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01'],
])('the quota that is used up at %s is whole again a millisecond later', async (last, month, next) => {
  await fixture.addOrganization('org', 'free');
  const scope = extendScope(await fixture.addProject('p', 'org'), { monthlyEvents: 2, monthlyBytes: 1e12 });
  fixture.clock = Date.parse(last);
  const send = (count: number): Promise<unknown> =>
    recordCounted(
      fixture.ctx,
      scope,
      Array.from({ length: count }, () => anEvent(fixture.clock)),
    );
  await send(2);
  const refusal = await send(1).then(
    () => null,
    (error) => error,
  );
  expect(refusal).toMatchObject({
    status: 429,
    message: 'Monthly quota exceeded',
    headers: { 'Retry-After': '1' },
  });

  fixture.clock += 1;
  await send(2);
  await runJob(fixture.ctx, job, 'schedule');
  expect((await fixture.run('SELECT month, events FROM usage_months ORDER BY month')).rows).toEqual([
    [month, 2],
    [next, 2],
  ]);
});
