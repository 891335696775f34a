import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { followAlert } from '../../src/features/incidents/alerts/follow-alerts.ts';
import type { Incident } from '../../src/features/incidents/contract.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('incidents', () => {
  let world: World;
  let incident: Incident;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    const { ctx, seed, clock } = world.app;
    const now = clock.now();
    await followAlert(ctx, {
      id: 'change 1',
      outcome: 'fired',
      organizationId: seed.organizationId,
      projectId: seed.projectId,
      alertId: 'alr_1',
      name: 'Cost an hour',
      measure: 'cost',
      groupBy: null,
      group: null,
      dimensions: { environment: 'production' },
      severity: 'critical',
      previousSeverity: null,
      value: 12,
      threshold: 8,
      baseline: null,
      windowStart: now - 6 * HOUR_MS,
      windowEnd: now,
      at: now,
      silenced: false,
      channelIds: [],
      summary: 'Cost is $12.00 an hour (over $8.00)',
    });
    const list = await world.app.fetch(`/v1/incidents?projectId=${seed.projectId}`, { bearer: seed.bearer });
    const { incidents } = (await list.json()) as { incidents: Incident[] };
    if (incidents[0] === undefined) throw new Error('no incident');
    incident = incidents[0];
  }, 60_000);
  afterAll(() => world.close());

  const at = (path: string): string => `/projects/${world.app.seed.projectId}/${path}`;

  test('one is taken up, explained, commented on and resolved', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(at('incidents'));
    await page.getByText('Not resolved now').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Cost an hour' }).click();
    await page.getByRole('heading', { name: '#1 Cost an hour' }).waitFor();
    await page.getByRole('list', { name: 'Model' }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('acknowledged it').waitFor();
    await page.getByLabel('Comment').fill('<img src=x> rolled back');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('<img src=x> rolled back').waitFor();
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await page.getByRole('dialog').getByLabel('Notes').fill('## Plan\n\n- **undo** <b>it</b>');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('strong', { hasText: 'undo' }).waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('a person opens one by hand, on a phone', async () => {
    const { page, complaints, go, close } = await world.open({ width: 380, scheme: 'dark' });
    await go(at('incidents'));
    await page.getByRole('button', { name: 'Open an incident' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Answers are slow');
    await dialog.getByLabel('Title').press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Answers are slow' }).waitFor();
    await go(at(`incidents/${incident.id}`));
    await page.getByRole('list', { name: 'Model' }).waitFor();
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(wide).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('a chart’s page leads to what explains its change', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(at('costs?range=24h'));
    await page.getByRole('link', { name: 'Explain this change' }).click();
    await page.getByRole('heading', { name: 'Explain this change' }).waitFor();
    await page.getByRole('list', { name: 'Model' }).waitFor();
    await page.getByLabel('Measure').selectOption('latencyP95');
    await page.getByText('The p95 latency').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});
