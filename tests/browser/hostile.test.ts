import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { TEST_SEED } from '../helpers/random.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { CHUNKS, eventId, NAMES, rename, storePayloads } from './hostile-world.ts';
import { PAYLOADS } from './payloads.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type Window, type World } from './world.ts';

/** Runs in the page before anything else: notes what the policy stopped, and knows the payloads. */
const WATCH = `
  window.stopped = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    stopped.push(violatedDirective + ' ' + blockedURI));
  window.payloads = ${JSON.stringify(PAYLOADS)};
`;

/**
 * What a page must not hold: elements that no page of the product has, attributes that run something,
 * addresses that lead elsewhere; and which payloads are to be read on it.
 */
const INSPECT = `(() => {
  const foreign = 'iframe object embed base meta link script marquee video audio template math img a:not([href]) '
    + 'form[action] button[formaction] foreignObject animate use xss isindex';
  const wrong = [...document.body.querySelectorAll(foreign.split(' ').join(','))].map((node) => node.outerHTML);
  for (const node of document.body.querySelectorAll('*'))
    for (const { name, value } of node.attributes) {
      if (/^on|^srcdoc$|^ng-|^v-/i.test(name)) wrong.push(node.outerHTML);
      const leads = /^(.*:)?(href|src|action|data|background)$/i.test(name);
      // Links in the Markdown of a message: they lead out in a window of their own, and tell nothing of this one.
      const isAway = name === 'href' && /^https?:[/]{2}/.test(value) && node.closest('article') !== null
        && node.target === '_blank' && node.rel === 'noopener noreferrer nofollow';
      if (leads && !isAway && !/^([/](?![/\\\\\\\\])|#|$)/.test(value)) wrong.push(node.outerHTML);
      if (name === 'style' && /evil|javascript|expression\\(|@import/i.test(value)) wrong.push(node.outerHTML);
    }
  for (const { textContent } of document.querySelectorAll('style'))
    if (/evil[.]example/.test(textContent)) wrong.push(textContent);
  const fields = [...document.querySelectorAll('input, textarea')].map(({ value }) => value);
  const text = [document.body.textContent, ...fields].join('\\n');
  return {
    at: location.pathname + ' ' + document.querySelector('main')?.textContent.slice(0, 400),
    wrong: wrong.map((html) => html.slice(0, 200)),
    stopped,
    hit: window.hit,
    read: payloads.flatMap((payload, place) => ([payload, JSON.stringify(payload).slice(1, -1)].some((form) => text.includes(form)) ? [place] : [])),
  };
})()`;

/** Opens entries of the audit log one after the other, all of keys and some of each other kind: which payloads are to be read in them. */
const READ_AUDIT = `(async () => {
  const read = new Set();
  const buttons = [...document.querySelectorAll('main [aria-expanded=false]')];
  for (const [place, button] of buttons.entries()) {
    if (place % 10 > 0 && !button.closest('tr').textContent.includes('api_key_created')) continue;
    button.click();
    // React has updated the page after the click; no frame needs to be drawn.
    await new Promise((done) => setTimeout(done));
    const text = document.querySelector('.audit-detail').textContent;
    payloads.forEach((payload, place) => {
      if ([payload, JSON.stringify(payload).slice(1, -1)].some((form) => text.includes(form))) read.add(place);
    });
  }
  return [...read];
})()`;

type Found = {
  /** The address and the beginning of the page: they say where a check failed. */
  readonly at: string;
  readonly wrong: string[];
  readonly stopped: string[];
  /** What a payload sets that runs. */
  readonly hit?: unknown;
  readonly read: number[];
};

const LOADING = `document.querySelector('h1') === null || document.querySelector('main [aria-label=Loading], main .mantine-Skeleton-root') !== null`;
const TITLES: Readonly<Record<string, string>> = {
  overview: 'Overview',
  costs: 'Costs',
  budgets: 'Budgets',
  'costs/repricing': 'Re-pricing',
  'costs/statement': 'Statement',
  'costs/what-if': 'What-if',
  performance: 'Performance',
  errors: 'Errors',
  traces: 'Traces',
  sessions: 'Sessions',
  users: 'Users',
  start: 'Send events',
  quarantine: 'Quarantine',
  project: 'Project',
  keys: 'API keys',
  'access-tokens': 'Access tokens',
  channels: 'Channels',
  deliveries: 'Deliveries',
  prices: 'Prices',
  members: 'Members',
  usage: 'Usage',
  audit: 'Audit log',
};
/**
 * Lists and tables show all payloads at once. Of the pages of one event, trace, session or user a run looks at a part,
 * which its seed chooses; HOSTILE=all looks at all.
 */
const SHARES = process.env.HOSTILE === 'all' ? 1 : 5;
const isTried = (place: number): boolean => place % SHARES === TEST_SEED % SHARES;
const EVERY = PAYLOADS.map((_, place) => place);
const EVERY_NAME = EVERY.filter((place) => NAMES.includes(PAYLOADS[place] ?? ''));

describe.skipIf(!hasBrowser)('text that would run, were it not shown as text', () => {
  let world: World;
  let window: Window;
  let times: readonly string[] = [];
  const at = (page: string, search = ''): string =>
    `/projects/${world.app.seed.projectId}/${page}?range=7d${search}`;

  beforeAll(async () => {
    world = await openWorld();
    times = await storePayloads(world);
    window = await world.open({ script: WATCH });
    await window.go(at('overview'));
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  /** Follows an address inside the page, as a click on a link does, and waits for what is there. */
  const follow = async (path: string, ready = 'true'): Promise<Found> => {
    // Nobody clicks as fast as this: without a pause more would be asked in a minute than anybody may.
    world.app.clock.advance(10_000);
    await window.page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
    return settled(`(!(${LOADING})) && (${ready})`);
  };
  const settled = async (ready: string, { page } = window): Promise<Found> => {
    const isReady = await waitInPage(page, ready);
    const found = (await page.evaluate(INSPECT)) as Found;
    const { at: where, wrong, stopped, hit } = found;
    expect({ where, isReady, wrong, stopped, hit }).toEqual({
      where,
      isReady: true,
      wrong: [],
      stopped: [],
      hit: undefined,
    });
    return found;
  };
  /** The same for a page of the navigation, told by its heading. */
  const visit = (page: string, search = ''): Promise<Found> =>
    follow(at(page, search), `document.querySelector('h1').textContent === '${TITLES[page]}'`);
  /** Fetches a list to its end. */
  const readOn = async (): Promise<Found> => {
    const press = `document.querySelector('[class*=more_]:not([data-loading])')?.click()`;
    for (let pages = 0; pages < 50; pages++) {
      await settled(`document.querySelector('[class*=more_][data-loading]') === null`);
      if ((await window.page.locator('[class*=more_]').count()) === 0) break;
      await window.page.evaluate(press);
    }
    return settled(`document.querySelector('[class*=more_]') === null`);
  };

  test('there are more than sixty of them, and none is too long for any field', () => {
    expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(100);
    expect(PAYLOADS.filter((payload) => payload.length > 100 || payload.trim() !== payload)).toEqual([]);
  });

  test('what the other tests look for is found where it is', async () => {
    const own = await world.open({ script: WATCH });
    await own.go(at('start'));
    for (const html of ['<img src=x onerror=hit=1>', '<a href="javascript:hit=1">x</a>'])
      await own.page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`);
    expect(await waitInPage(own.page, 'stopped.length > 0')).toBe(true);
    const { wrong, stopped } = (await own.page.evaluate(INSPECT)) as Found;
    expect(wrong).toEqual([
      '<img src="x" onerror="hit=1">',
      '<img src="x" onerror="hit=1">',
      '<img src="x" onerror="hit=1">',
      '<a href="javascript:hit=1">x</a>',
    ]);
    expect(stopped).toEqual(['script-src-attr inline']);
    expect(own.complaints.length).toBeGreaterThan(0);
    await own.close();
  }, 60_000);

  test('every page that sums up or lists what was sent', async () => {
    const metrics = ['cost', 'latency', 'p95', 'errorRate', 'tokens', 'cache'];
    for (const metric of metrics) await visit('overview', `&metric=${metric}`);
    for (const page of ['costs', 'performance', 'errors', 'start', 'usage', 'members'])
      expect([page, (await visit(page)).read.length > 0 || page === 'start' || page === 'usage']).toEqual([
        page,
        true,
      ]);
    for (const by of ['provider', 'environment', 'userId', 'key', `tag:${PAYLOADS[0]}`])
      await visit('costs', `&by=${encodeURIComponent(by)}`);
    for (const page of ['costs/repricing', 'costs/statement', 'costs/what-if']) await visit(page);
    expect((await visit('budgets')).read).toEqual(expect.arrayContaining(EVERY_NAME));
    for (const page of ['users', 'sessions', 'traces']) {
      await visit(page);
      expect([page, (await readOn()).read]).toEqual([page, EVERY]);
    }
  }, 60_000);

  test('each event with its details, found by all of its filters', async () => {
    for (const [place, payload] of PAYLOADS.entries()) {
      if (!isTried(place)) continue;
      const names = ['model', 'provider', 'errorCode', 'userId', 'sessionId', 'environment'];
      const search = new URLSearchParams({
        ...Object.fromEntries(names.map((name) => [name, payload])),
        event: eventId(place),
        at: times[place] ?? '',
      });
      // The messages are shown at first; those of other events are looked at below.
      await follow(
        at('events', `&${search}`),
        `document.querySelectorAll('[class*=vrow_]').length === 1
         && document.querySelector('[class*=detailsHead_] strong')?.textContent === payloads[${place}]
         && document.querySelector('[class*=details_] article') !== null`,
      );
      await window.page.evaluate(`document.querySelector('[class*=details_] input[value=details]').click()`);
      const { read } = await settled(
        `document.querySelector('[class*=details_] .json') !== null
         && document.querySelector('[class*=details_]').textContent.includes('${eventId(place)}')`,
      );
      expect(read).toContain(place);
    }
  }, 60_000);

  test('the page of each trace, session and user', async () => {
    const pages = [
      ['traces', '[class*=spanRow_]'],
      ['sessions', '[class*=turn_]'],
      ['users', '[aria-label="Recent calls"]'],
    ] as const;
    for (const [place, payload] of PAYLOADS.entries()) {
      if (!isTried(place)) continue;
      const [page, part] = pages[Math.floor(place / SHARES) % 3] ?? pages[0];
      const { read } = await follow(
        at(`${page}/${encodeURIComponent(payload)}`),
        `document.querySelector('[class*=pageTitle_]').textContent.includes(payloads[${place}])
         && document.querySelector('${part}') !== null`,
      );
      expect(read).toContain(place);
    }
  }, 60_000);

  test('what was refused, keys, access tokens, prices and what clients are told', async () => {
    for (const page of ['keys', 'access-tokens', 'prices', 'project']) {
      const { read } = await visit(page);
      const hasNames = page === 'keys' || page === 'access-tokens';
      expect([page, read]).toEqual([page, hasNames ? EVERY_NAME : EVERY]);
    }
    await visit('quarantine');
    expect((await readOn()).read).toEqual(EVERY);
    await window.page.getByRole('button', { name: 'Correct' }).first().click();
    await settled('true');
  }, 60_000);

  test('the audit log, with what was before and after each change', async () => {
    await visit('audit');
    await window.page.evaluate(READ_AUDIT);
    await settled('true');
    await visit('audit', '&action=project.api_key_created');
    await readOn();
    const read = (await window.page.evaluate(READ_AUDIT)) as number[];
    await settled('true');
    expect(read.sort((a, b) => a - b)).toEqual(EVERY_NAME);
  }, 60_000);

  test('menus and the palette', async () => {
    const { page } = window;
    await visit('costs');
    await page.locator('.control').first().click();
    await settled(`document.querySelectorAll('[role=menuitem]').length >= 100`);
    await page.keyboard.press('Escape');
    await page.locator('[class*=sidebar_] [class*=switcher_]').first().click();
    await settled(`document.querySelectorAll('[role=menuitem]').length >= ${CHUNKS.length}`);
    await page.keyboard.press('Escape');
    await follow(at('events'), `document.querySelector('h1').textContent === 'Events'`);
    await page.getByRole('button', { name: 'Views' }).click();
    await settled(`document.querySelectorAll('[role=menuitem]').length >= 100`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    for (const payload of CHUNKS) {
      await page.getByPlaceholder('Find a page').fill(payload);
      await settled('true');
    }
    await page.keyboard.press('Escape');
  }, 60_000);

  test('names of the organization, the project and the person', async () => {
    const own = await world.open({ script: WATCH, clock: true });
    await own.go(at('members'));
    for (const name of CHUNKS) {
      world.app.clock.advance(10_000);
      await rename(world, name);
      // Whoever comes back to the window after a while sees the names of now: no page load for each.
      await own.page.clock.fastForward(20_000);
      await own.page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      const text = 'document.body.textContent.replaceAll(/\\s+/g, " ")';
      const { read } = await settled(
        `${text}.split(${JSON.stringify(name.replaceAll(/\s+/g, ' '))}).length > 3`,
        own,
      );
      expect(read).toEqual(
        expect.arrayContaining(EVERY.filter((place) => name.includes(PAYLOADS[place] ?? ''))),
      );
    }
    expect(own.complaints).toEqual([]);
    await own.close();
  }, 60_000);

  test('before signing in: a reason for refusal, a way back that leads elsewhere, a link of no kind', async () => {
    const stranger = await world.open({ bearer: null, script: WATCH });
    const all = encodeURIComponent(PAYLOADS.join('\n'));
    await stranger.go(`/sign-in#error=${all}`);
    const { read, wrong, stopped } = (await stranger.page.evaluate(INSPECT)) as Found;
    expect([read.length, wrong, stopped]).toEqual([PAYLOADS.length, [], []]);
    for (const next of ['javascript:alert(1)', '//evil.example/x', '/\\evil.example/x']) {
      await stranger.go(`/sign-in?next=${encodeURIComponent(next)}`);
      await stranger.page.getByLabel('Email').fill(world.app.seed.email);
      await stranger.page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
      await stranger.page.keyboard.press('Enter');
      await stranger.page.waitForURL(`**/projects/*/overview`);
      expect(new URL(stranger.page.url()).origin).toBe(world.url);
      await stranger.page.context().clearCookies();
    }
    await stranger.go(`/link#${all}=${all}`);
    expect(stranger.complaints.filter((text) => !text.includes('401'))).toEqual([]);
    await stranger.close();
  }, 60_000);

  test('no dialog, no request to another host, nothing in the console on the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
