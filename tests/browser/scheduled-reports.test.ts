import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { openSmtp, type TestSmtp } from '../helpers/smtp.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('scheduled reports', () => {
  let world: World;
  let smtp: TestSmtp;
  beforeAll(async () => {
    smtp = await openSmtp();
    world = await openWorld();
    await world.seedDays(10);
    await world.app.reopen({ SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com' });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await smtp.close();
  });

  test('an admin creates one, sees what it says, sends it, and unsubscribes from it', async () => {
    const { seed } = world.app;
    const { page, go, complaints, close } = await world.open();
    await go(`/projects/${seed.projectId}/scheduled-reports`);
    await page.getByText('No scheduled reports yet').waitFor();
    await page.getByRole('button', { name: 'New report' }).click();
    const dialog = page.getByRole('dialog', { name: 'New report' });
    await dialog.getByLabel('Name').fill('Daily costs');
    await dialog.getByLabel('Period').selectOption('day');
    await dialog.getByLabel('At', { exact: true }).selectOption('7');
    await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
    await dialog.getByRole('checkbox', { name: 'User' }).check();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create report' }).click();
    await dialog.waitFor({ state: 'detached' });

    const row = page.getByRole('row', { name: /Daily costs/ });
    await row.getByText('Daily, 07:00 Europe/Berlin').waitFor();
    await row.getByRole('link', { name: 'Daily costs' }).click();
    await page.getByRole('heading', { name: /^Preview: costs of Acme project/ }).waitFor();
    await page.getByRole('region', { name: 'By user' }).getByRole('link').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await row.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
    const mail = await smtp.next(seed.email);
    expect(mail.text).toContain('By user');
    await page.getByRole('row', { name: /A person/ }).waitFor();

    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('Paused').waitFor();

    await go('/account');
    await page.getByRole('checkbox', { name: /Daily costs/ }).click();
    await page.getByRole('checkbox', { name: /Daily costs/, checked: false }).waitFor();
    await go(`/projects/${seed.projectId}/scheduled-reports`);
    await row.getByText('Nobody').waitFor();
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});
