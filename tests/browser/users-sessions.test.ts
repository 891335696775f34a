import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { erasureJob } from '../../src/features/erasure/jobs.ts';
import type { SessionsReply } from '../../src/features/sessions/contract.ts';
import type { UserReply } from '../../src/features/users/contract.ts';
import { compactText, moneyText, numberText, percentText } from '../../src/lib/figures.ts';
import { findingsInBothSchemes } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, runUntil, type Window, type World } from './world.ts';

const WEEK = 'range=7d';
/** An id that has to be encoded in an address. */
const ODD = 'team/a?b#c %2F ü';
const LONG = 300;

describe.skipIf(!hasBrowser)('the pages of one user and of one session', () => {
  let world: World;
  let window: Window;
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}?${WEEK}`;
  const read = async <T>(path: string, query = ''): Promise<T> => {
    const start = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 7 * 86_400_000).toISOString();
    const url = `${path}?projectId=${world.app.seed.projectId}&start=${start}${query}`;
    return (await (await world.app.fetch(url, { bearer: world.app.seed.bearer })).json()) as T;
  };
  const tile = (label: string) =>
    window.page.locator('[class*=kpi_]', { hasText: label }).locator('[class*=kpiValue_]').textContent();
  const send = async (events: readonly unknown[]): Promise<void> => {
    for (let from = 0; from < events.length; from += 100) {
      const sent = { apiKey: world.app.seed.apiKey, events: events.slice(from, from + 100) };
      expect((await world.app.fetch('/v1/ingest', sent)).status).toBe(202);
    }
  };

  beforeAll(async () => {
    world = await openWorld();
    const { projectId, organizationId, bearer } = world.app.seed;
    const config = { version: 1, sampleRate: 1, redactKeys: [], storePrompts: true };
    const path = `/v1/projects/${projectId}/sdk-config`;
    expect((await world.app.fetch(path, { bearer, method: 'PUT', json: config })).status).toBe(200);
    await world.seedDays(3);
    const now = Date.now();
    const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 1_000, latency_ms: 500 };
    await send([
      {
        ...call,
        user_id: ODD,
        session_id: ODD,
        trace_id: 'alone',
        input: [{ role: 'user', content: 'What does a turn look like?' }],
        output: 'Like this.',
      },
      { ...call, user_id: 'gone', session_id: 'going' },
    ]);
    await send(
      Array.from({ length: LONG }, (_, i) => ({
        ...call,
        session_id: 'long',
        trace_id: `turn-${i}`,
        timestamp: new Date(now - (LONG - i) * 1_000).toISOString(),
        name: `turn ${i}`,
        model: `model-${i}`,
      })),
    );
    const budget = {
      name: 'Talk is cheap',
      of: { kind: 'user', projectId, userId: ODD },
      period: 'month',
      limitUsd: 1,
    };
    const made = await world.app.fetch(`/v1/budgets?organizationId=${organizationId}`, {
      bearer,
      json: budget,
    });
    expect(made.status).toBe(201);
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test("a user's figures, models and days are the API's", async () => {
    await window.go(at('users'));
    await window.page.getByLabel('Users').getByRole('link', { name: 'maya', exact: true }).click();
    await window.page.waitForURL('**/users/maya?*');
    const { user, models, days } = await read<UserReply>('/v1/users/maya');
    await window.page.getByLabel('Models').waitFor();
    expect(await tile('Cost')).toBe(moneyText(user.cost_usd));
    expect(await tile('Calls')).toBe(compactText(user.requests));
    expect(await tile('Tokens')).toBe(compactText(user.input_tokens + user.output_tokens));
    expect(await tile('Error rate')).toBe(percentText(user.error_rate));
    expect(await window.page.getByLabel('Models').locator('tbody tr').count()).toBe(models.length);
    await window.page.getByRole('button', { name: /^Calls \d/ }).click();
    await window.page.getByRole('button', { name: 'Show as a table' }).click();
    const rows = window.page.locator('[class*=chartTable_] tbody tr');
    // The table is fetched when it is asked for.
    await rows.first().waitFor();
    // Seven full days and today.
    expect(await rows.count()).toBe(8);
    const latest = days.at(-1);
    const day = rows.nth(7 - Math.round((Date.parse(latest?.date ?? '') - startOfWeek()) / 86_400_000));
    const cells = (await day.locator('td').allTextContents()).slice(1).map(Number);
    expect(cells).toEqual([(latest?.requests ?? 0) - (latest?.errors ?? 0), latest?.errors ?? 0]);
    await day.getByRole('link').click();
    await window.page.waitForURL('**/events?*');
    await window.page.locator('[class*=pageTitle_] [role=status]').waitFor();
    expect(await window.page.locator('[class*=pageTitle_] [role=status]').textContent()).toBe(
      numberText(latest?.requests ?? 0),
    );
  }, 60_000);

  test('of a part of a day the whole is counted, and the links lead to the whole', async () => {
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const query = `start=${day}T12:00:00.000Z&end=${day}T12:00:01.000Z`;
    await window.go(`/projects/${world.app.seed.projectId}/users/maya?${query}`);
    await window.page.getByLabel('Models').waitFor();
    const panel = (title: string) =>
      window.page.locator('.panel').filter({ has: window.page.getByRole('heading', { name: title }) });
    for (const link of [
      panel('Models').locator('tbody a').first(),
      panel('Recent calls').getByRole('link', { name: 'All events' }),
      panel('Recent sessions').getByRole('link', { name: 'All sessions' }),
    ]) {
      const { searchParams } = new URL((await link.getAttribute('href')) ?? '', 'http://here');
      expect(Object.fromEntries(searchParams)).toMatchObject({
        start: `${day}T00:00:00.000Z`,
        end: `${day}T23:59:59.999Z`,
        userId: 'maya',
      });
    }
    const calls = await tile('Calls');
    await panel('Recent calls').getByRole('link', { name: 'All events' }).click();
    await window.page.waitForURL('**/events?*');
    const total = window.page.locator('[class*=pageTitle_] [role=status]');
    await total.waitFor();
    expect(await total.textContent()).toBe(calls);
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('an environment is kept to, and a user that is not there says so', async () => {
    await window.go(`${at('users/maya')}&environment=nowhere`);
    await window.page.getByText('No events of this user in this time').waitFor();
    await window.go(at('users/nobody'));
    await window.page.getByText('There is no such user in this project').waitFor();
    await window.go(at('sessions/none'));
    await window.page.getByText('There is no such session in this project').waitFor();
    window.complaints.splice(0);
  }, 60_000);

  test('a budget of the user is shown with where it stands, and to nobody else', async () => {
    await window.go(at(`users/${encodeURIComponent(ODD)}`));
    await window.page.getByText('Talk is cheap').waitFor();
    await window.go(at('users/maya'));
    await window.page.getByText('Recent sessions').waitFor();
    expect(await window.page.getByText('Talk is cheap').count()).toBe(0);
  }, 60_000);

  test('from a user to a session to the details of a call and its trace; odd ids included', async () => {
    await window.go(at('users'));
    await window.page.getByRole('link', { name: ODD }).first().click();
    await window.page.waitForURL(`**/users/${encodeURIComponent(ODD)}?*`);
    await window.page.getByLabel('Recent sessions').getByRole('link', { name: ODD }).click();
    await window.page.waitForURL(`**/sessions/${encodeURIComponent(ODD)}?*`);
    const turn = window.page.locator('[class*=turn_]');
    await turn.waitFor();
    expect(await turn.count()).toBe(1);
    const said = window.page.locator('[class*=turnBox_]').getByRole('article');
    expect(await said.allTextContents()).toEqual(['userWhat does a turn look like?', 'assistantLike this.']);
    await turn.locator('.vopen').press('Enter');
    const details = window.page.getByRole('dialog');
    await details.getByRole('article', { name: 'user' }).getByText('What does a turn look like?').waitFor();
    await details.getByText('Details', { exact: true }).click();
    await details.getByRole('heading', { name: 'Context' }).waitFor();
    expect(await details.getByRole('link', { name: ODD }).count()).toBe(2);
    await window.page.keyboard.press('Escape');
    await turn.getByRole('link', { name: 'Trace' }).click();
    await window.page.waitForURL('**/traces/alone?*');
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('a long session is read from its beginning to its end, and searched', async () => {
    await window.go(at('sessions/long'));
    const names = window.page.locator('[class*=turnName_]');
    await names.first().waitFor();
    expect(await tile('Calls')).toBe(compactText(LONG));
    expect(await names.first().textContent()).toBe('model-0');
    let seen = '';
    for (let pages = 0; pages < 80 && seen !== `model-${LONG - 1}`; pages++) {
      await window.page.evaluate("document.querySelector('[class*=timeline_]').scrollTop = 1e9");
      await waitInPage(
        window.page,
        `[...document.querySelectorAll('[class*=turnName_]')].at(-1)?.textContent !== ${JSON.stringify(seen)}`,
        2_000,
      );
      seen = (await names.last().textContent()) ?? '';
    }
    expect(seen).toBe(`model-${LONG - 1}`);
    // Only what is in sight is there.
    expect(await names.count()).toBeLessThan(80);
    // The search reads the whole session, also what is off the screen.
    await window.page.keyboard.press('Control+f');
    const search = window.page.getByLabel('Search in this session');
    await search.and(window.page.locator(':focus')).waitFor();
    await search.fill('MODEL-7');
    await names.nth(1).getByText('model-70', { exact: true }).waitFor();
    await search.fill('turn 77');
    await window.page
      .getByRole('list', { name: 'Timeline' })
      .getByText('model-77', { exact: true })
      .waitFor();
    await search.fill('zebra');
    await window.page.getByText('No call with this text').waitFor();
    await search.press('Escape');
    await names.first().getByText('model-0', { exact: true }).waitFor();
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('a session is scored by thumbs, which filter the list of sessions', async () => {
    const { page } = window;
    await window.go(at('sessions/long'));
    const scores = page.getByLabel('Scores of this session');
    await scores.getByText('No scores yet.').waitFor();
    await scores.getByRole('button', { name: 'Bad' }).click();
    await scores.getByRole('button', { name: 'Delete the score feedback' }).waitFor();
    await scores.getByRole('button', { name: 'Good' }).click();
    await scores.locator('[aria-label=Good][aria-pressed=true]').waitFor();
    const given = await read<{ scores: { sessionId: string; value: boolean }[] }>(
      '/v1/scores',
      '&sessionId=long',
    );
    expect(given.scores).toMatchObject([{ sessionId: 'long', value: true }]);
    const listed = async (filter: string): Promise<number> => {
      await window.go(`${at('sessions')}&filter=${encodeURIComponent(filter)}`);
      await page.locator('[class*=pageTitle_]').waitFor();
      await page
        .getByRole('link', { name: 'long', exact: true })
        .or(page.getByText('No matching sessions'))
        .first()
        .waitFor();
      return page.getByRole('link', { name: 'long', exact: true }).count();
    };
    expect([await listed('score.feedback:true'), await listed('score.feedback:false')]).toEqual([1, 0]);
    await page.getByLabel('Filter', { exact: true }).click();
    await page.getByLabel('Filter', { exact: true }).fill('score.fe');
    await page.getByRole('option', { name: 'score.feedback:' }).waitFor();
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('spans that are no calls are shown where asked, under the name of their trace', async () => {
    const { sessions } = await read<SessionsReply>('/v1/sessions', '&userId=maya&limit=1');
    const [session] = sessions;
    if (session === undefined) throw new Error('the demo has no session of maya');
    await window.go(at(`sessions/${session.session_id}`));
    await window.page.locator('[class*=turn_]').first().waitFor();
    const heads = await window.page.locator('[class*=traceHead_]').count();
    expect(heads).toBeGreaterThan(0);
    await window.page.getByText('All spans').click();
    await window.page.waitForURL('**kind=all**');
    await window.page.locator('[class*=turn_] .kind-guardrail, [class*=turn_] .kind-agent').first().waitFor();
  }, 60_000);

  test('whoever may erases a user, is told how far it is, and the user is gone', async () => {
    const viewer = await world.open({ bearer: (await world.app.addUser('viewer')).bearer });
    await viewer.go(at('users/gone'));
    await viewer.page.getByText('Recent sessions').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
    await viewer.close();
    const own = await world.open({ clock: true });
    await own.go(at('users/gone'));
    await own.page.getByRole('button', { name: 'Erase' }).click();
    expect(await own.page.getByRole('button', { name: 'Erase user' }).isDisabled()).toBe(true);
    await own.page.getByLabel(/^Type .* to confirm$/).fill('gone');
    await own.page.getByRole('button', { name: 'Erase user' }).click();
    await own.page.getByText('Erasing:').waitFor();
    // A look that fails is told, and the next is asked for.
    const looks = /\/erasures\/[^/]+$/;
    await own.page.route(looks, (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
    await runUntil(own.page.getByText('Not now'));
    await own.page.unroute(looks);
    await own.page.getByRole('button', { name: 'Try again' }).click();
    await own.page.getByText('Erasing:').waitFor();
    await erasureJob.run(world.app.ctx, new AbortController().signal);
    await runUntil(own.page.getByText('Erased: 1 event, 0 quarantined lines.'));
    await own.page.getByText('There is no such user in this project').waitFor();
    let asked = 0;
    await own.page.route(looks, (route) => {
      asked += 1;
      return route.continue();
    });
    await own.page.clock.runFor(5_000);
    expect(asked).toBe(0);
    await own.close();
  }, 60_000);

  const odd = encodeURIComponent(ODD);
  test('nothing serious by axe in light and dark', async () => {
    for (const page of [`users/${odd}`, `sessions/${odd}`]) {
      await window.follow(at(page));
      await window.page.getByText(page.startsWith('users') ? 'Recent sessions' : 'Like this.').waitFor();
      expect([page, await findingsInBothSchemes(window.page, { without: ['aside'] })]).toEqual([page, []]);
    }
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('360 px wide: nothing sticks out', async () => {
    const own = await world.open({ width: 360 });
    for (const page of ['users/maya', `users/${odd}`, `sessions/${odd}`, 'sessions/long']) {
      await own.go(at(page));
      await own.page.locator('.panel').last().waitFor();
      const over = await own.page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([page, over]).toEqual([page, 0]);
    }
    expect(own.complaints).toEqual([]);
    await own.close();
  }, 60_000);
});

const startOfWeek = (): number => Math.floor(Date.now() / 86_400_000) * 86_400_000 - 7 * 86_400_000;
