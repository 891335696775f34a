import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { createProject } from '../../src/core/projects/index.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/lib/time.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

/** Five weeks of three busy hours a day; in the last of them cost is far above the usual. Some calls failed and were paid. */
async function seedWeeks({ app }: World): Promise<void> {
  const now = app.clock.now();
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const events = Array.from({ length: 36 }, (_, day) =>
    [1, 2, 3].flatMap((ago) =>
      Array.from({ length: 14 }, (_, call) => ({
        provider: 'openai',
        model: call % 2 === 0 ? 'gpt-4o' : 'gpt-4.1',
        timestamp: formatInstant(hour - day * DAY_MS - ago * HOUR_MS + call * 60_000),
        input_tokens: day === 0 && ago === 1 ? 90_000 : 4_000 + ((call * 37 + day * 11) % 300),
        output_tokens: 800,
        latency_ms: 900,
        user_id: `user-${call % 3}`,
        agent: 'support-bot',
        status: call === 5 ? 'timeout' : 'success',
      })),
    ),
  ).flat();
  for (let from = 0; from < events.length; from += 100) {
    const reply = await app.fetch('/v1/ingest', {
      apiKey: app.seed.apiKey,
      events: events.slice(from, from + 100),
    });
    expect(reply.status).toBe(202);
  }
}

describe.skipIf(!hasBrowser)('questions, savings and anomalies', () => {
  let world: World;
  let emptyProjectId: string;
  let viewer: { bearer: string };
  beforeAll(async () => {
    world = await openWorld({ rateLimits: false });
    await seedWeeks(world);
    viewer = await world.app.addUser('viewer');
    emptyProjectId = (await world.app.app.act(createProject, { organization: 'Acme', name: 'Empty' })).id;
  }, 180_000);
  afterAll(() => world.close());
  const at = (path: string, id = world.app.seed.projectId): string => `/projects/${id}/${path}`;
  const actionsOf = async (): Promise<string[]> => {
    const { organizationId, bearer } = world.app.seed;
    const reply = await world.app.fetch(`/v1/audit?organizationId=${organizationId}`, { bearer });
    return ((await reply.json()) as { entries: { action: string }[] }).entries.map(({ action }) => action);
  };

  test('a question on the overview is answered with a chart, rows and a query that can be changed', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(at('overview'));
    await page.getByLabel('Ask about figures').fill('Which model cost the most in the last 30 days?');
    await page.keyboard.press('Enter');
    await page.getByText(/^Highest cost/).waitFor();
    await page.getByRole('cell', { name: 'gpt-4.1' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByLabel('Ask again, or follow up').fill('and by user?');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'user-1' }).first().waitFor();

    await page.getByText('Query', { exact: true }).first().click();
    const query = page.getByLabel('Query of and by user?');
    expect(JSON.parse(await query.inputValue())).toMatchObject({ measures: ['cost'], groupBy: ['userId'] });
    await query.fill('{ "measures": ["requests"], "groupBy": ["agent"] }');
    await page.getByRole('button', { name: 'Run' }).first().click();
    await page.getByRole('cell', { name: 'support-bot' }).waitFor();
    await query.fill('{ "measures": ["nothing"] }');
    await page.getByRole('button', { name: 'Run' }).first().click();
    await page.getByText('there is no measure nothing').waitFor();
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
    await close();
  }, 120_000);

  test('a question that is not understood says what was not, and what is missing without a model', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(`${at('ask')}?q=${encodeURIComponent('cost by weekday')}`);
    await page.getByText('no model is configured that could read it').waitFor();
    await page.getByText('I understood cost, but not “weekday”').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Error rate by provider yesterday' }).click();
    await page.getByRole('heading', { name: 'Error rate by provider yesterday' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);

  test('an alert is made of an answer after its document was shown, audited as an action of the copilot', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(`${at('ask')}?q=${encodeURIComponent('cost by model in the last 7 days')}`);
    await page.getByRole('button', { name: 'Create alert' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert' });
    const document = JSON.parse(await dialog.getByLabel('Document of the alert').inputValue());
    expect(document).toMatchObject({ measure: 'cost', groupBy: 'model', window: '1d' });
    expect(await seriousFindings(page)).toEqual([]);
    expect(await actionsOf()).not.toContain('alert.created');
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await dialog.waitFor({ state: 'detached' });
    const actions = await actionsOf();
    expect(actions).toContain('alert.created');
    expect(actions).toContain('copilot.alert_created');
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);

  test('the palette asks what is typed', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(at('costs'));
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a page').fill('requests by agent yesterday');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Ask: requests by agent yesterday/ })
      .click();
    await page.waitForURL((url) => url.pathname.endsWith('/ask'));
    await page.getByRole('cell', { name: 'support-bot' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);

  test('savings are dismissed with a reason, opened again and applied', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(at('recommendations'));
    const panel = page.locator('section.panel').filter({ hasText: 'Avoid failed calls of “gpt-4.1”' });
    await panel.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss recommendation' });
    await dialog.getByLabel('Reason').fill('Known outage');
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await panel.getByText('Dismissed: Known outage').waitFor();
    await panel.getByRole('button', { name: 'Open again' }).click();
    await panel.getByRole('button', { name: 'Mark as applied' }).click();
    await panel.getByText('What it saves is known after a day.').waitFor();
    expect(await actionsOf()).toContain('copilot.recommendation_applied');
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);

  test('an unusual hour is listed and explained', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(`${at('anomalies')}?range=7d`);
    await page.getByRole('button', { name: 'Explain' }).first().click();
    await page.getByRole('heading', { name: 'What explains it' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);

  test('a viewer sees all of it and is offered no change', async () => {
    const { page, complaints, go, close } = await world.open({ bearer: viewer.bearer });
    await go(at('recommendations'));
    await page.getByText('Avoid failed calls of “gpt-4.1”').waitFor();
    expect(await page.getByRole('button', { name: /Dismiss|Mark as applied|Create/ }).count()).toBe(0);
    await go(`${at('ask')}?q=${encodeURIComponent('cost by model')}`);
    await page.getByRole('cell', { name: 'gpt-4.1' }).waitFor();
    expect(await page.getByRole('button', { name: /Create|Save view/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);

  test('a project without calls says so on each of the pages', async () => {
    const { page, complaints, go, close } = await world.open();
    await go(at('recommendations', emptyProjectId));
    await page.getByText('No savings found').waitFor();
    await go(at('anomalies', emptyProjectId));
    await page.getByText('Too early to say what is unusual').waitFor();
    await go(at('ask', emptyProjectId));
    await page.getByText('Ask for figures in plain English').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);
});
