import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

type Neighbour = { readonly event_id: string } | null;

let app: TestApp;
const AT = '2026-06-15T10:00:00.000Z';
const id = (place: number): string => `0196aaaa-0000-7000-8000-${String(place).padStart(12, '0')}`;
const event = (place: number, more: object) => ({
  event_id: id(place),
  provider: 'openai',
  model: 'gpt-4o',
  input_tokens: 1,
  session_id: 's',
  timestamp: AT,
  ...more,
});

beforeAll(async () => {
  app = await openTestApp();
  const events = [
    event(1, { timestamp: '2026-06-15T09:59:00.000Z' }),
    event(2, {}),
    event(3, {}),
    event(4, { kind: 'tool', provider: undefined, model: undefined, tool: 'look' }),
    event(5, { timestamp: '2026-06-15T10:00:01.000Z' }),
    event(6, { session_id: 'other' }),
    event(7, { session_id: undefined }),
  ];
  const response = await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events });
  expect(response.status).toBe(202);
});
afterAll(() => app.close());

async function around(place: number, timestamp?: string): Promise<(string | undefined)[]> {
  const query = new URLSearchParams({ projectId: app.seed.projectId, ...(timestamp && { timestamp }) });
  const response = await app.fetch(`/v1/events/${id(place)}/neighbours?${query}`, {
    bearer: app.seed.bearer,
  });
  expect(response.status).toBe(200);
  const { previous, next } = (await response.json()) as { previous: Neighbour; next: Neighbour };
  return [previous?.event_id, next?.event_id];
}

test.each([
  ['the first', 1, undefined, 2],
  ['of one millisecond, by id', 2, 1, 3],
  ['past spans that are no calls', 3, 2, 5],
  ['of a span that is no call', 4, 3, 5],
  ['the last', 5, 3, undefined],
  ['alone in its session', 6, undefined, undefined],
  ['without a session', 7, undefined, undefined],
] as const)('%s', async (_, place, previous, next) => {
  const expected = [previous, next].map((one) => (one === undefined ? undefined : id(one)));
  expect(await around(place)).toEqual(expected);
  if (place !== 1 && place !== 5) expect(await around(place, AT)).toEqual(expected);
});

test('an event that is not in the project is not found', async () => {
  const path = `/v1/events/${id(99)}/neighbours?projectId=${app.seed.projectId}`;
  expect((await app.fetch(path, { bearer: app.seed.bearer })).status).toBe(404);
});
