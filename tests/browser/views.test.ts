import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { SavedView } from '../../src/core/views/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('views of the events page', () => {
  let world: World;
  let member: { bearer: string };
  let viewer: { bearer: string };
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    [member, viewer] = await Promise.all([world.app.addUser('member'), world.app.addUser('viewer')]);
  }, 60_000);
  afterAll(() => world.close());

  const events = (search = ''): string => `/projects/${world.app.seed.projectId}/events?range=7d${search}`;
  const openMenu = ({ page }: Window, name = 'Views') => page.getByRole('button', { name }).click();
  const choose = async ({ page }: Window, item: string): Promise<void> => {
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  const listed = async (): Promise<SavedView[]> => {
    const path = `/v1/views?projectId=${world.app.seed.projectId}`;
    const reply = await world.app.fetch(path, { bearer: viewer.bearer });
    return ((await reply.json()) as { views: SavedView[] }).views;
  };

  test('a member saves what is shown, renames it and has it keep something else', async () => {
    const window = await world.open({ bearer: member.bearer });
    const { page, complaints, go, close } = window;
    await go(events('&status=error&environment=production&columns=time,model,error'));
    await openMenu(window);
    await choose(window, 'Save view');
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByText('Environment: production · Status: Error · Columns: Time, Model, Error').waitFor();
    await dialog.getByLabel('Name').fill('Failures');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel('Name').press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Failures' }).waitFor();
    const search = { status: 'error', environment: 'production', columns: 'time,model,error' };
    expect(await listed()).toMatchObject([{ name: 'Failures', search }]);

    await go(events('&status=timeout'));
    await openMenu(window);
    await page.getByRole('menuitem', { name: 'Failures' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await choose(window, 'Manage views');
    const manage = page.getByRole('dialog', { name: 'Views', exact: true });
    expect(await seriousFindings(page)).toEqual([]);
    await manage.getByRole('button', { name: 'Rename' }).click();
    await manage.getByLabel('New name of Failures').fill('Time-outs');
    await manage.getByRole('button', { name: 'Rename' }).click();
    await manage.getByText('Time-outs').waitFor();
    await manage.getByRole('button', { name: 'Update' }).click();
    await page.getByRole('button', { name: 'Update view' }).click();
    await manage.getByText('Status: Timeout').waitFor();
    expect(await listed()).toMatchObject([{ name: 'Time-outs', search: { status: 'timeout' } }]);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('a viewer opens it, from the page and the palette, and is offered nothing more', async () => {
    const window = await world.open({ bearer: viewer.bearer });
    const { page, complaints, go, close } = window;
    await go(events('&model=gpt-4o&environment=staging'));
    await openMenu(window);
    await page.getByRole('menuitem', { name: 'Time-outs' }).waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Time-outs']);
    await choose(window, 'Time-outs');
    await page.waitForURL((url) => url.search === '?range=7d&status=timeout');
    await page.getByRole('button', { name: 'Time-outs' }).waitFor();

    await go(`/projects/${world.app.seed.projectId}/costs?range=7d&environment=staging`);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a page').fill('time-outs');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Time-outs/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(
      (url) => url.pathname.endsWith('/events') && url.search === '?range=7d&status=timeout',
    );
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('a name that is taken is said so, and only an admin deletes what is not theirs', async () => {
    const other = await world.app.addUser('member');
    const theirs = await world.open({ bearer: other.bearer });
    await theirs.go(events('&status=success'));
    await openMenu(theirs);
    await choose(theirs, 'Save view');
    await theirs.page.getByLabel('Name').fill('Time-outs');
    await theirs.page.getByRole('button', { name: 'Save', exact: true }).click();
    await theirs.page.getByRole('dialog').getByText('There is a view Time-outs already').waitFor();
    await theirs.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await openMenu(theirs);
    await choose(theirs, 'Manage views');
    await theirs.page.getByRole('dialog').getByText('Time-outs').waitFor();
    expect(await theirs.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await theirs.close();

    const owner = await world.open();
    await owner.go(events());
    await openMenu(owner);
    await choose(owner, 'Manage views');
    await owner.page.getByRole('button', { name: 'Delete' }).click();
    await owner.page.getByRole('button', { name: 'Delete view' }).click();
    await owner.page.getByText('Time-outs was deleted').waitFor();
    await owner.page.getByText('No views yet').waitFor();
    expect(await listed()).toEqual([]);
    expect(owner.complaints).toEqual([]);
    await owner.close();
  }, 60_000);

  test('a typed filter narrows the list, cells narrow and exclude, and an empty list says which part does it', async () => {
    const { page, complaints, go, close } = await world.open({ bearer: viewer.bearer });
    await go(events());
    const box = page.getByRole('combobox', { name: 'Filter' });
    await box.fill('stat');
    await page.getByRole('option', { name: /^status:/ }).click();
    await page.getByRole('option', { name: 'failed' }).click();
    await page.getByRole('button', { name: 'status:failed', exact: true }).waitFor();
    await page.locator('[data-row="0"]').getByText('Success').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('filter')).toBe('status:failed');
    expect(await seriousFindings(page)).toEqual([]);

    const model = page.locator('[data-row="0"] [data-column=model]');
    const name = (await model.textContent()) ?? '';
    await model.hover();
    await model.getByRole('button', { name: `Exclude model ${name}` }).click();
    await page.getByRole('button', { name: `-model:${name}`, exact: true }).waitFor();
    await page.locator('[data-row="0"]').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Only model / })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await box.fill('user:nobody');
    await box.press('Enter');
    await page.getByText('No matching events').waitFor();
    await page.getByText(/^There are \d.* without user:nobody$/).waitFor();
    await page.getByRole('button', { name: 'Remove filter user:nobody' }).click();
    await page.locator('[data-row="0"]').waitFor();

    await page.getByRole('link', { name: 'Costs' }).click();
    await page.getByRole('heading', { name: 'Costs' }).waitFor();
    await page.getByRole('button', { name: 'status:failed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    expect(new URL(page.url()).searchParams.get('filter')).toBeNull();
    expect(complaints).toEqual([]);

    await box.fill('model:"open');
    await box.press('Enter');
    await page.getByText('the quotation mark at character 7 has no end').waitFor();
    await close();
  }, 60_000);

  test('a page opens with the view that somebody chose, and without it after they left it', async () => {
    const window = await world.open({ bearer: member.bearer });
    const { page, complaints, go, close } = window;
    const costs = `/projects/${world.app.seed.projectId}/costs`;
    await go(`${costs}?by=environment&across=model&filter=status:failed`);
    await openMenu(window);
    await choose(window, 'Save view');
    await page.getByRole('dialog').getByLabel('Name').fill('Failed by environment');
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    await openMenu(window, 'Failed by environment');
    await choose(window, 'Open the page with it');
    await openMenu(window, 'Failed by environment');
    await page.getByRole('menuitem', { name: /default/ }).waitFor();

    await go(costs);
    await page.getByRole('button', { name: 'status:failed', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Environments by model' }).waitFor();
    await page.getByRole('button', { name: 'Remove filter status:failed' }).click();
    await page.getByRole('button', { name: 'status:failed', exact: true }).waitFor({ state: 'detached' });
    // A link that says what to show is not changed.
    await go(`${costs}?by=provider`);
    await page.getByRole('columnheader', { name: 'Provider' }).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBeNull();
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});
