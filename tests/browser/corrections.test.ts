import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { runJob } from '../../src/core/jobs/index.ts';
import { setPricesAction } from '../../src/features/prices/actions.ts';
import type { Drift } from '../../src/features/reconcile/connectors/contract.ts';
import { fetchConnectors } from '../../src/features/reconcile/connectors/job.ts';
import type { Reconciliation } from '../../src/features/reconcile/contract.ts';
import type { RepricingList, RepricingRow } from '../../src/features/repricing/contract.ts';
import type { WhatIf } from '../../src/features/what-if/contract.ts';
import { moneyText, numberText } from '../../src/lib/figures.ts';
import { openaiCost, openStandIn } from '../features/reconcile/stand-in.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, runUntil, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the books corrected', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(4);
  }, 60_000);
  afterAll(() => world.close());
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const ask = async <T>(path: string): Promise<T> => {
    const { projectId, bearer } = world.app.seed;
    const reply = await world.app.fetch(`${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`, {
      bearer,
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as T;
  };
  const kpi = async ({ page }: Window, label: string): Promise<string | null> =>
    page
      .locator('[class*=kpi_]')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('[class*=kpiValue_]')
      .textContent();
  const total = async (): Promise<number> => (await ask<{ total: number }>('/v1/costs')).total;

  test('what-if: the address asks, and the page shows what the API answers', async () => {
    const window = await world.open();
    const { page } = window;
    await window.go(at('costs/what-if?range=7d'));
    await page.getByText('Change a model, cache share or batch share to compare').waitFor();
    await page.getByLabel('Prompt caching').fill('50');
    await page.waitForURL(/caching=50/);
    const input = page.getByRole('combobox', { name: 'Use model' });
    await input.fill('gpt-4o-mini');
    await page.getByRole('option', { name: 'openai/gpt-4o-mini' }).first().click();
    await page.waitForURL(/as=openai%2Fgpt-4o-mini/);
    await page.getByText('tokenizers differ').waitFor();
    const start = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 7 * 86_400_000).toISOString();
    const doc = await ask<WhatIf>(
      `/v1/costs/what-if?start=${start}&model=${encodeURIComponent('openai/gpt-4o-mini')}&caching=0.5`,
    );
    expect(await kpi(window, 'Actual')).toBe(moneyText(doc.total.actual ?? 0));
    expect(await kpi(window, 'Estimate')).toBe(moneyText(doc.total.expected ?? 0));
    expect(await kpi(window, 'Saving')).toBe(moneyText(-(doc.total.difference ?? 0)));
    expect(await kpi(window, 'Calls not compared')).toBe(numberText(doc.total.leftOut));
    expect(await page.getByLabel('Estimate by model').locator('tbody tr').count()).toBe(doc.models.length);
    for (const line of doc.assumptions) expect(await page.getByText(line).count()).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    const other = await world.open();
    await other.go(new URL(page.url()).pathname + new URL(page.url()).search);
    expect(await kpi(other, 'Estimate')).toBe(moneyText(doc.total.expected ?? 0));
    expect(await other.page.getByRole('combobox', { name: 'Use model' }).inputValue()).toBe(
      'openai/gpt-4o-mini',
    );
    expect([...window.complaints, ...other.complaints]).toEqual([]);
    await Promise.all([window.close(), other.close()]);
  }, 60_000);

  test('re-pricing: a dry run, applied, and put back', async () => {
    const window = await world.open({ clock: true });
    const { page } = window;
    await window.go(at('costs/repricing?range=7d'));
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
    await runUntil(page.getByText('Nothing would change'));
    const before = await total();
    const prices = [{ provider: null, model: 'acme-llm-7b', rates: { input: 4, output: 12 } }];
    await world.app.app.act(setPricesAction, { organization: 'Acme', prices });
    await window.go(at('prices?range=7d'));
    await page.getByRole('link', { name: 'now priced: re-price' }).first().click();
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
    await runUntil(page.getByLabel('What changes by model'));
    const [found] = (await ask<RepricingList>('/v1/repricings')).repricings;
    const plan = await ask<RepricingRow>(`/v1/repricings/${found?.id}`);
    expect(plan.request).toMatchObject({ model: 'acme-llm-7b', unpricedOnly: true });
    expect(await kpi(window, 'Events that change')).toBe(numberText(plan.changes));
    expect(await kpi(window, 'After')).toBe(moneyText(plan.after));
    expect(await page.getByLabel('What changes by day').locator('tbody tr').count()).toBe(
      plan.groups?.length ?? 0,
    );
    expect(await page.getByLabel('What changes by model').textContent()).toContain('unpriced');
    expect(await total()).toBe(before);
    expect(await seriousFindings(page)).toEqual([]);
    // The links are of what was asked, whatever the address of the page says by now.
    await window.go(at(`costs/repricing?range=24h&environment=nowhere&id=${plan.id}`));
    const href = await page.getByLabel('What changes by model').getByRole('link').getAttribute('href');
    const leads = new URL(href ?? '', 'http://here').searchParams;
    expect(Object.fromEntries(leads)).toMatchObject({ start: plan.request.start, model: 'acme-llm-7b' });
    expect(Date.parse(leads.get('end') ?? '')).toBe(Date.parse(plan.request.end) - 1);
    expect([leads.get('environment'), leads.get('range')]).toEqual([null, null]);

    await page.getByRole('button', { name: `Apply to ${numberText(plan.changes)} events` }).click();
    await runUntil(page.getByRole('button', { name: 'Undo', exact: true }));
    expect(await total()).toBeCloseTo(before + plan.after - plan.before, 9);
    const past = page.getByLabel('Past re-pricings');
    await past.getByText('applied', { exact: true }).waitFor();
    expect(await past.textContent()).toContain(world.app.seed.email);

    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Undo re-pricing' }).click();
    await runUntil(past.getByText('undone', { exact: true }));
    expect(await total()).toBeCloseTo(before, 9);

    // While one at work is open, it alone is looked at, every two seconds.
    const asked: string[] = [];
    await page.route(/\/v1\/repricings[/?]/, async (route) => {
      const answer = await route.fetch();
      asked.push(new URL(route.request().url()).pathname);
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('"undone"', '"applying"'),
      });
    });
    await window.go(at(`costs/repricing?id=${plan.id}`));
    await past.getByText('applying').waitFor();
    asked.splice(0);
    for (let looks = 0; looks < 2; looks++) {
      const answered = page.waitForResponse(/\/v1\/repricings[/?]/);
      await page.clock.runFor(2_000);
      await answered;
    }
    expect(asked).toEqual([`/v1/repricings/${plan.id}`, `/v1/repricings/${plan.id}`]);
    await page.unroute(/\/v1\/repricings[/?]/);
    await runUntil(past.getByText('undone', { exact: true }));
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);

  test('a viewer sees what was priced anew and is offered nothing', async () => {
    const { bearer } = await world.app.addUser('viewer');
    const { page, complaints, go, close } = await world.open({ bearer, width: 360, scheme: 'dark' });
    await go(at('costs/repricing'));
    const past = page.getByLabel('Past re-pricings');
    await past.getByRole('link').first().click();
    await page.getByText('What changed').waitFor();
    for (const name of ['Dry run', 'Apply', 'Undo'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    expect(complaints).toEqual([]);
    const id = new URL(page.url()).searchParams.get('id');
    const path = `/v1/repricings/${id}/apply?projectId=${world.app.seed.projectId}`;
    expect((await world.app.fetch(path, { bearer, method: 'POST' })).status).toBe(403);
    await close();
  }, 60_000);

  test('reconcile: an export beside the books, its faults named, and kept as CSV', async () => {
    const window = await world.open();
    const { page } = window;
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const csv = [
      'date,provider,model,calls,input_tokens,output_tokens,cost_usd',
      `${day},openai,gpt-4o,100000,9000000,900000,31.5`,
      `${day},openai,no-such-model,3,300,30,0.25`,
      'someday,openai,gpt-4o,1,1,1,1',
    ].join('\n');
    await window.go(at('costs/reconcile?environment=production'));
    const file = (text: string) => ({ name: 'invoice.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const input = page.getByLabel('Provider export');
    await input.setInputFiles(file('a,b\n1,2'));
    await page.getByText('the header row matches no supported export').waitFor();
    await input.setInputFiles(file(csv));
    await page.getByRole('heading', { name: 'Reasons' }).waitFor();
    const { projectId, bearer } = world.app.seed;
    const reply = await world.app.fetch(`/v1/reconcile?projectId=${projectId}`, {
      method: 'POST',
      bearer,
      body: csv,
    });
    const doc = (await reply.json()) as Reconciliation;
    expect(await kpi(window, 'Export')).toBe(moneyText(doc.invoice.usd ?? 0));
    expect(await kpi(window, 'Ledger')).toBe(moneyText(doc.books.usd ?? 0));
    expect(await kpi(window, 'Difference')).toBe(moneyText(doc.driftUsd ?? 0));
    const drifting = doc.lines.filter(({ differs }) => differs);
    const rows = page.getByLabel('Differences by day and model').locator('tbody tr');
    expect(await rows.count()).toBe(drifting.length);
    // The demo has few such calls on a day, or none.
    expect(await rows.first().textContent()).toMatch(
      /billed are not in the ledger|the ledger has none of them/,
    );
    await page.getByText('Line 4').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const link = new URL((await rows.getByRole('link').first().getAttribute('href')) ?? '', 'http://here');
    const linked = drifting.find(({ books }) => books !== null);
    expect([link.searchParams.get('model'), link.searchParams.get('start')?.slice(0, 10)]).toEqual([
      linked?.stored?.model ?? null,
      linked?.day ?? null,
    ]);
    expect(link.searchParams.has('environment')).toBe(false);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    const kept = await Bun.file((await saved.path()) ?? '').text();
    expect(kept.trimEnd().split('\r\n')).toHaveLength(doc.lines.length + 1);
    const [missing] = doc.reasons;
    await page.getByRole('button', { name: missing?.text ?? '' }).click();
    expect(await rows.count()).toBe(missing?.lines ?? -1);
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('October, disputed');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep', exact: true }).click();
    const results = page.getByLabel('Kept results').locator('tbody tr');
    await results.getByText('October, disputed').waitFor();
    await results.getByRole('link', { name: 'invoice.csv' }).click();
    await page.getByRole('heading', { name: /^Kept on / }).waitFor();
    expect(await kpi(window, 'Difference')).toBe(moneyText(doc.driftUsd ?? 0));
    expect(await page.getByRole('button', { name: 'Keep', exact: true }).count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    // The refusal of the first file is all that the console may tell of.
    expect(window.complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await window.close();
  }, 60_000);

  test('drift: what the provider billed beside the ledger, as the API says it, and the threshold', async () => {
    const provider = openStandIn();
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    provider.reports['/v1/organization/costs'] = {
      [day]: [openaiCost('gpt-4o-2024-08-06, input', 31.5), openaiCost('web search tool calls', 0.25)],
    };
    const connector = { id: 'openai-eu', provider: 'openai', key: 'sk-admin-x', organization: 'Acme' };
    await world.app.reopen({ CONNECTORS: JSON.stringify([{ ...connector, url: provider.url }]) });
    expect(await runJob(world.app.ctx, fetchConnectors, 'manual')).toMatchObject({ status: 'ok' });
    const window = await world.open();
    const { page } = window;
    await window.go(at('costs/drift'));
    const rows = page.getByLabel('Drift by day and model').locator('tbody tr');
    await rows.first().waitFor();
    const { organizationId, bearer } = world.app.seed;
    const reply = await world.app.fetch(`/v1/drift?organizationId=${organizationId}`, { bearer });
    const doc = (await reply.json()) as Drift;
    expect(await rows.count()).toBe(doc.lines.length);
    expect(await kpi(window, 'Difference')).toBe(moneyText(doc.total.driftUsd ?? 0));
    expect(await page.getByLabel('Connectors').getByText('openai-eu').count()).toBe(1);
    await page.getByLabel('Amounts that are not compared').getByText('web search tool calls').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Threshold' }).click();
    await page.getByLabel('USD').fill('1000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('from 5% and $1000').waitFor();
    expect(await kpi(window, 'Over the threshold')).toBe('0');
    await page.setViewportSize({ width: 360, height: 800 });
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(window.complaints).toEqual([]);
    await window.close();
    await provider.stop();
  }, 60_000);
});
