import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const attribute = (key: string, value: object) => ({ key, value });

/** A call of which only the provider is known: clients that report no model send such. */
const spanWithoutModel = (ms: number) => ({
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: '00000000000000a1',
  name: 'chat',
  startTimeUnixNano: `${ms}000000`,
  endTimeUnixNano: `${ms + 250}000000`,
  attributes: [
    attribute('gen_ai.operation.name', { stringValue: 'chat' }),
    attribute('gen_ai.provider.name', { stringValue: 'openai' }),
    attribute('gen_ai.usage.input_tokens', { intValue: '900' }),
    attribute('gen_ai.usage.output_tokens', { intValue: '80' }),
  ],
});

describe.skipIf(!hasBrowser)('calls without a model', () => {
  let world: World;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const models = ({ page }: Window) => page.locator('main').getByText('No model', { exact: true });
  const links = ({ page }: Window) =>
    page.locator('main').getByRole('link', { name: /^(unknown|No model)$/ });

  const rowsOf = ({ page }: Window) =>
    page.getByLabel('Models without a price', { exact: true }).locator('tbody tr');

  beforeAll(async () => {
    world = await openWorld();
    const { apiKey } = world.app.seed;
    const json = {
      resourceSpans: [{ scopeSpans: [{ spans: [spanWithoutModel(Date.now() - 60_000)] }] }],
    };
    const events = [{ provider: 'acme', model: 'acme-9', input_tokens: 10 }];
    expect((await world.app.fetch('/v1/otel', { json, apiKey })).status).toBe(202);
    expect((await world.app.fetch('/v1/ingest', { events, apiKey })).status).toBe(202);
  }, 60_000);
  afterAll(() => world.close());

  test('are named as such and lead nowhere: no filter finds them by a name', async () => {
    const window = await world.open();
    for (const page of ['overview', 'costs', 'performance', 'costs/what-if?batch=100', 'prices']) {
      await window.go(at(page));
      await models(window).first().waitFor();
      expect([page, await links(window).count()]).toEqual([page, 0]);
    }
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('get no price set, for none would apply to them; a viewer is offered none at all', async () => {
    const window = await world.open();
    await window.go(at('prices'));
    const rows = rowsOf(window);
    await rows.first().waitFor();
    const button = { name: 'Set price' };
    expect(await rows.filter({ hasText: 'acme-9' }).getByRole('button', button).count()).toBe(1);
    expect(await rows.filter({ hasText: 'No model' }).getByRole('button', button).count()).toBe(0);
    expect(await window.page.getByRole('link', { name: /^Re-price past/ }).count()).toBe(1);
    await window.close();
    const { bearer } = await world.app.addUser('viewer');
    const viewer = await world.open({ bearer });
    await viewer.go(at('prices'));
    await rowsOf(viewer).first().waitFor();
    expect(await viewer.page.getByRole('button', button).count()).toBe(0);
    expect(await viewer.page.getByRole('link', { name: /^Re-price past/ }).count()).toBe(0);
    await viewer.close();
  }, 60_000);
});
