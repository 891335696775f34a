import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  type QuarantinePage,
  quarantineReasonsSchema,
  replayManyReplySchema,
} from '../../../src/core/quarantine/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app.close());

const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 10 };
const ingest = (...lines: string[]) =>
  app.fetch('/v1/ingest', { method: 'POST', apiKey: app.seed.apiKey, body: lines.join('\n') });

async function list(query = '', bearer = app.seed.bearer): Promise<QuarantinePage> {
  const response = await app.fetch(`/v1/quarantine?projectId=${app.seed.projectId}${query}`, { bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as QuarantinePage;
}
const replay = (id: string, event: object, bearer = app.seed.bearer) =>
  app.fetch(`/v1/quarantine/${id}/replay?projectId=${app.seed.projectId}`, { bearer, json: { event } });

test('refused lines are kept, redacted and without prompts, and can be paged', async () => {
  await ingest(
    JSON.stringify(call),
    'not JSON with hunter2',
    JSON.stringify({ ...call, status: 'fine', tags: { token: 'hunter2' }, input: 'a prompt' }),
    JSON.stringify({ provider: 'openai' }),
  );
  const page = await list('&limit=2');
  expect(page.total).toBe(3);
  const rest = await list(`&limit=2&cursor=${page.nextCursor}`);
  expect(rest.nextCursor).toBeNull();
  const [bare, status, text] = [...page.lines, ...rest.lines];
  expect(text).toMatchObject({ line: 2, error: 'is not valid JSON', event: null });
  expect(status).toMatchObject({
    line: 3,
    event: { ...call, status: 'fine', tags: { token: '[REDACTED]' } },
  });
  expect(status?.event).not.toHaveProperty('input');
  expect(bare).toMatchObject({ line: 4, event: { provider: 'openai' } });
});

test('a refused line holds no prompt under any of the names that senders use', async () => {
  const content = { prompt: 'x', messages: [{ content: 'x' }], system_prompt: 'x', completion: 'x' };
  await ingest(JSON.stringify({ provider: 'openai', ...content, response: 'x', user_id: 'ada' }));
  const [line] = (await list()).lines;
  expect(line?.event).toEqual({ provider: 'openai', user_id: 'ada' });
});

test('lines are also kept if no event of the batch is valid', async () => {
  expect((await ingest('{}', 'x')).status).toBe(400);
  expect((await list()).total).toBe(2);
});

test('a corrected line becomes an event once', async () => {
  await ingest(JSON.stringify({ ...call, status: 'fine' }));
  const [line] = (await list()).lines;
  const wrong = await replay(line?.id ?? '', { ...line?.event, status: 'finer' });
  expect([wrong.status, (await list()).total]).toEqual([400, 1]);
  const right = await replay(line?.id ?? '', { ...line?.event, status: 'success' });
  expect(right.status).toBe(200);
  expect(await right.json()).toMatchObject({ duplicate: false });
  const again = await replay(line?.id ?? '', { ...line?.event, status: 'success' });
  expect(again.status).toBe(404);
  const events = await app.fetch(`/v1/events?projectId=${app.seed.projectId}`, { bearer: app.seed.bearer });
  expect(await events.json()).toMatchObject({ total: 1 });
  expect((await list()).total).toBe(0);
});

test('a viewer reads but does not replay; another project sees nothing', async () => {
  await ingest('{}');
  const viewer = await app.addUser('viewer');
  const [line] = (await list('', viewer.bearer)).lines;
  expect((await replay(line?.id ?? '', call, viewer.bearer)).status).toBe(403);
  const other = await app.addTenant();
  const foreign = await app.fetch(`/v1/quarantine?projectId=${other.projectId}`, { bearer: other.bearer });
  expect(await foreign.json()).toMatchObject({ total: 0 });
  const taken = await app.fetch(`/v1/quarantine/${line?.id}/replay?projectId=${other.projectId}`, {
    bearer: other.bearer,
    json: { event: call },
  });
  expect(taken.status).toBe(404);
});

/** Refused lines of `bytes` each, `count` of them in batches of 100. */
async function refuse(count: number, bytes: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 100) {
    const line = JSON.stringify({ ...call, status: 'none', metadata: { text: 'x'.repeat(bytes) } });
    const response = await ingest(...Array.from({ length: Math.min(100, count - sent) }, () => line));
    // None of the batch was accepted.
    expect(response.status).toBe(400);
    app.clock.advance(1_000);
  }
}

test('a project keeps at most 16 MB of refused lines: the oldest go, and the page says how many', async () => {
  const start = app.clock.now();
  await refuse(1_000, 12_000);
  expect((await list()).dropped).toBeNull();
  await refuse(1_000, 12_000);
  const { total, dropped, lines } = await list();
  // 20 MB are 1,640 lines, and 16 MB are 1,312.
  expect(total).toBeLessThan(1_650);
  expect(total).toBeGreaterThan(1_300);
  expect(dropped?.lines).toBe(2_000 - total);
  expect(Date.parse(dropped?.since ?? '')).toBeGreaterThan(start);
  expect(Date.parse(lines[0]?.receivedAt ?? '')).toBe(app.clock.now() - 1_000);
  await app.reopen();
  await refuse(500, 12_000);
  const later = await list();
  expect(later.dropped).toMatchObject({ lines: 2_500 - later.total, since: dropped?.since ?? '' });
  expect(later.total).toBeLessThan(1_650);
});

test('a project keeps at most 10,000 refused lines, without the slack of 500', async () => {
  await refuse(10_600, 1);
  const { total, dropped } = await list();
  expect(total).toBeLessThanOrEqual(10_500);
  expect(dropped?.lines).toBe(10_600 - total);
});

const change = (what: string, body: object, bearer = app.seed.bearer) =>
  app.fetch(`/v1/quarantine/${what}?projectId=${app.seed.projectId}`, { bearer, json: body });
const reasons = async () => {
  const reply = await app.fetch(`/v1/quarantine/reasons?projectId=${app.seed.projectId}`, {
    bearer: app.seed.bearer,
  });
  return quarantineReasonsSchema.parse(await reply.json());
};
const SOME = { provider: 'openai', model: 'gpt-4o' };
/** `count` lines that are refused for their status, and one without a model. */
const refuseSome = async (count: number): Promise<void> => {
  const lines = Array.from({ length: count }, (_, i) => ({ ...SOME, input_tokens: i, status: 'fine' }));
  for (let from = 0; from < count; from += 99)
    await ingest(...lines.slice(from, from + 99).map((line) => JSON.stringify(line)));
  await ingest(JSON.stringify({ provider: 'openai' }));
};

test('reasons leave out the values of lines and are counted; the list narrows to one', async () => {
  await ingest('x', ...[1, 2].map((i) => JSON.stringify({ ...SOME, status: `fine ${i}`, input_tokens: -i })));
  await refuseSome(3);
  const { total, reasons: found } = await reasons();
  expect(found.reduce((sum, { lines }) => sum + lines, 0)).toBe(total);
  expect(total).toBe(7);
  const json = found.find(({ reason }) => reason === 'is not valid JSON');
  expect(json).toMatchObject({ lines: 1, replayable: 0 });
  for (const { reason, lines } of found) {
    const page = await list(`&reason=${encodeURIComponent(reason)}`);
    expect(page.lines.map((line) => line.reason)).toEqual(Array.from({ length: lines }, () => reason));
  }
});

test('all lines of a reason are corrected and recorded once, page after page; others stay', async () => {
  await refuseSome(230);
  const group = (await reasons()).reasons[0];
  expect(group).toMatchObject({ lines: 230, replayable: 230 });
  // Later than what the person saw.
  await ingest(JSON.stringify({ ...SOME, status: 'fine' }));
  const asked = { reason: group?.reason, upTo: group?.upTo, correction: { set: { status: 'success' } } };
  const sums = { recorded: 0, pages: 0 };
  for (let after: string | undefined; ; ) {
    const reply = await change('replay', { ...asked, after });
    expect(reply.status).toBe(200);
    const { recorded, next, refused } = replayManyReplySchema.parse(await reply.json());
    expect(refused).toEqual([]);
    sums.recorded += recorded;
    sums.pages++;
    if (next === null) break;
    after = next;
  }
  expect(sums).toEqual({ recorded: 230, pages: 3 });
  expect((await list()).total).toBe(2);
  const events = await app.fetch(`/v1/events?projectId=${app.seed.projectId}`, { bearer: app.seed.bearer });
  expect(((await events.json()) as { total: number }).total).toBe(230);
  const again = replayManyReplySchema.parse(await (await change('replay', asked)).json());
  expect(again).toEqual({ recorded: 0, duplicates: 0, refused: [], next: null });
});

test('a correction that does not mend lines leaves them and says why', async () => {
  await refuseSome(2);
  const group = (await reasons()).reasons[0];
  const correction = { rename: { status: 'outcome', input_tokens: 'inputs' }, remove: ['model'] };
  const reply = await change('replay', { reason: group?.reason, upTo: group?.upTo, correction });
  expect(await reply.json()).toEqual({
    recorded: 0,
    duplicates: 0,
    refused: [{ reason: expect.any(String), lines: 2 }],
    next: null,
  });
  expect((await list()).total).toBe(3);
});

test('lines are dismissed by id, by reason or all, never those of another project or after what was seen', async () => {
  const other = await app.addTenant();
  const foreign = { ...SOME, status: 'fine' };
  await app.fetch('/v1/ingest', { apiKey: other.apiKey, events: [foreign] });
  await refuseSome(4);
  const [newest, second] = (await list()).lines;
  const dismiss = async (body: object): Promise<unknown> => (await change('dismiss', body)).json();
  expect(await dismiss({ ids: [second?.id, Bun.randomUUIDv7()] })).toEqual({ dismissed: 1 });
  const group = (await reasons()).reasons[0];
  await ingest('later');
  expect(await dismiss({ reason: group?.reason, upTo: group?.upTo })).toEqual({ dismissed: 3 });
  expect(await dismiss({ upTo: newest?.id })).toEqual({ dismissed: 1 });
  expect((await list()).lines.map(({ error }) => error)).toEqual(['is not valid JSON']);
  const theirs = await app.fetch(`/v1/quarantine?projectId=${other.projectId}`, { bearer: other.bearer });
  expect(((await theirs.json()) as QuarantinePage).total).toBe(1);
  for (const wrong of [
    {},
    { ids: [] },
    { ids: ['x'] },
    { upTo: 'x' },
    { ids: [newest?.id], upTo: newest?.id },
  ])
    expect((await change('dismiss', wrong)).status).toBe(400);
});
