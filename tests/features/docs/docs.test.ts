import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventPage } from '../../../src/core/events/contract.ts';
import { FILTER_FIELDS, parseFilter } from '../../../src/core/events/filter/contract.ts';
import { eventInputSchema } from '../../../src/core/events/input/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ empty: true });
});
afterAll(() => world.close());

const FILES = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/alerts', 'text/html; charset=utf-8'],
  ['/docs/events', 'text/html; charset=utf-8'],
  ['/docs/filters', 'text/html; charset=utf-8'],
  ['/docs/channels', 'text/html; charset=utf-8'],
  ['/docs/datasets', 'text/html; charset=utf-8'],
  ['/docs/deployments', 'text/html; charset=utf-8'],
  ['/docs/experiments', 'text/html; charset=utf-8'],
  ['/docs/incidents', 'text/html; charset=utf-8'],
  ['/docs/limits', 'text/html; charset=utf-8'],
  ['/docs/operating', 'text/html; charset=utf-8'],
  ['/docs/opentelemetry', 'text/html; charset=utf-8'],
  ['/docs/playground', 'text/html; charset=utf-8'],
  ['/docs/prompts', 'text/html; charset=utf-8'],
  ['/docs/reference.css', 'text/css; charset=utf-8'],
  ['/docs/scheduled-reports', 'text/html; charset=utf-8'],
  ['/docs/security', 'text/html; charset=utf-8'],
  ['/docs/single-sign-on', 'text/html; charset=utf-8'],
  ['/docs/troubleshooting', 'text/html; charset=utf-8'],
  ['/docs/text.css', 'text/css; charset=utf-8'],
] as const;

test.each(FILES)(
  '%s is served by this server, under a policy that lets nothing else run',
  async (path, type) => {
    const response = await world.fetch(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect((await response.text()).length).toBeGreaterThan(100);
  },
);

test('the page contacts no other host and requests only existing files', async () => {
  const page = await (await world.fetch('/docs')).text();
  const start = await (await world.fetch('/docs/start.js')).text();
  const asked = [...`${page}${start}`.matchAll(/(?:src|href|url)(?:=|: )["']([^"']+)["']/g)].map(
    ([, url]) => url ?? '',
  );
  expect(asked).toContain('/v1/openapi.json');
  for (const url of asked.filter((url) => url !== 'data:,')) {
    expect(url).toStartWith('/');
    expect([url, (await world.fetch(url)).status]).toEqual([url, 200]);
  }
  expect(start).toContain('validatorUrl: null');
});

test.each([
  ['security', ['Report a vulnerability', 'Who might attack', 'What is not protected']],
  ['single-sign-on', ['Fields of an issuer', 'Keycloak', 'What is checked']],
])('/docs/%s is a page that links only to this server', async (name, titles) => {
  const page = await (await world.fetch(`/docs/${name}`)).text();
  for (const title of titles) expect(page).toMatch(new RegExp(`<h2[^>]*>${title}`));
  expect(page).not.toContain('{{');
  const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
  for (const url of links.filter((one) => one !== 'data:,' && one !== '/'))
    expect([url, (await world.fetch(url)).status]).toEqual([url, 200]);
});

test('the reference of events has every field, and its examples are accepted and counted as it says', async () => {
  const page = await (await world.fetch('/docs/events')).text();
  for (const name of Object.keys(eventInputSchema.shape)) expect(page).toContain(`<code>${name}</code>`);
  expect(page).not.toContain('{{');
  const text = page.replaceAll('&quot;', '"');
  const examples = [...text.matchAll(/\{"provider".*\}(?=['&<\n])/g)].map(([line]) => JSON.parse(line));
  expect(examples).toHaveLength(3);
  const own = await openTestApp();
  const sent = await own.fetch('/v1/ingest', { apiKey: own.seed.apiKey, events: examples });
  expect(await sent.json()).toMatchObject({ accepted: 3 });
  const { events } = (await (
    await own.fetch(`/v1/events?projectId=${own.seed.projectId}&model=o3`, { bearer: own.seed.bearer })
  ).json()) as EventPage;
  const cost = await own.fetch(`/v1/events/${events[0]?.event_id}/cost?projectId=${own.seed.projectId}`, {
    bearer: own.seed.bearer,
  });
  const lines = JSON.stringify(await cost.json());
  for (const count of [400, 800, 150, 200]) expect(lines).toContain(`:${count},`);
  await own.close();
});

test('the reference of filters has every field, and its examples are read', async () => {
  const page = await (await world.fetch('/docs/filters')).text();
  for (const name of Object.keys(FILTER_FIELDS)) expect(page).toContain(`<code>${name}</code>`);
  const [parts = ''] = /<table>.*?<\/table>/s.exec(page) ?? [];
  const cells = [...parts.matchAll(/<td>(.*?)<\/td>/gs)].filter((_, place) => place % 2 === 0);
  const examples = cells.flatMap(([, cell = '']) =>
    [...cell.matchAll(/<code>(.*?)<\/code>/g)].map(([, one = '']) => one),
  );
  expect(examples.length).toBeGreaterThan(10);
  for (const example of examples) {
    const filter = example.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<');
    expect(parseFilter(filter)).toHaveLength(1);
  }
});

test('every operation has a summary, a group, its failures and, where it changes or gives something, a shape', async () => {
  type Operation = {
    summary: string;
    tags: string[];
    security: object[];
    responses: Record<string, { content?: object }>;
  };
  const document = (await (await world.fetch('/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { summary, tags, security, responses }] of Object.entries(methods)) {
      expect([method, path, summary.length > 3, tags.length]).toEqual([method, path, true, 1]);
      const statuses = Object.keys(responses);
      expect([path, statuses.some((status) => status.startsWith('2') || status === '302')]).toEqual([
        path,
        true,
      ]);
      if (security.length > 0) expect(statuses).toContain('401');
      for (const [status, { content }] of Object.entries(responses))
        if (Number(status) >= 400)
          expect([path, status, content !== undefined]).toEqual([path, status, true]);
    }
  }
});

test('"=" after the name of a field means ":"; other texts with it are looked for', () => {
  expect(parseFilter('tokens=0 -model=gpt-* tag.team=search')).toEqual(
    parseFilter('tokens:0 -model:gpt-* tag.team:search'),
  );
  for (const text of ['code=500', '"tokens=0"', 'tokens='])
    expect(parseFilter(text)).toEqual([{ field: 'text', not: false, contains: text.replaceAll('"', '') }]);
});
