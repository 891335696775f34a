import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { commands } from '../../../cli/commands.ts';
import { setBudgetAction } from '../../../src/core/budgets/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { removeUser } from '../../../src/core/orgs/index.ts';
import type { CostsReply } from '../../../src/features/analytics/contract.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import type { ReportRun, ScheduledReport } from '../../../src/features/scheduled-reports/contract.ts';
import type { ReportFigures } from '../../../src/features/scheduled-reports/figures/contract.ts';
import { sendDueReports } from '../../../src/features/scheduled-reports/run/send-due.ts';
import { modules } from '../../../src/features.ts';
import { moneyText } from '../../../src/lib/figures.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { runWith } from '../../cli/terminal.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../core/deliveries/world.ts';
import { TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openSmtp, type ReceivedMail, type TestSmtp } from '../../helpers/smtp.ts';

let hooks: DeliveryWorld;
let world: TestApp;
let smtp: TestSmtp;
let bearer: string;
/** Monday, 8 June 2026, and the whole week from it on; the reports of that week are due on the 15th. */
const WEEK = { start: '2026-06-07T22:00:00.000Z', end: '2026-06-14T21:59:59.999Z' };
const weekly = { period: 'week', timeZone: 'Europe/Berlin', hour: 15 };

beforeAll(async () => {
  smtp = await openSmtp();
  hooks = await openDeliveryWorld({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'ledger@example.com', PUBLIC_URL: 'https://ledger.test' },
  });
  world = hooks.app;
  bearer = world.seed.bearer;
  const call = (daysAgo: number, more: object) => ({
    event_id: crypto.randomUUID(),
    timestamp: new Date(TEST_NOW - daysAgo * DAY_MS).toISOString(),
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 1000,
    output_tokens: 1000,
    latency_ms: 100,
    ...more,
  });
  const { apiKey } = world.seed;
  const events = [
    ...[2, 3, 4].map((days) => call(days, { user_id: 'user-ann', tags: { feature: 'chat' } })),
    call(5, { model: 'gpt-4o-mini', user_id: 'user-bob', tags: { feature: '=cmd|evil.example' } }),
    call(5, { model: 'unheard-of', input_tokens: 70 }),
    call(6, { status: 'error', error_code: 'boom', output_tokens: 0 }),
    // The week before, and today, which is in no report.
    call(9, { user_id: 'user-ann' }),
    call(10, { model: 'gpt-4-turbo' }),
    call(11, { model: 'once-heard-of' }),
    call(0, {}),
  ];
  const response = await world.fetch('/v1/ingest', { apiKey, events });
  expect(response.status).toBe(202);
});
afterAll(async () => {
  await hooks.close();
  await smtp.close();
});

const ask = async <T>(
  method: string,
  path: string,
  json?: unknown,
  by = bearer,
): Promise<{ status: number; body: T }> => {
  const query = `organizationId=${world.seed.organizationId}`;
  const response = await world.fetch(`/v1${path}${path.startsWith('/auth') ? '' : `?${query}`}`, {
    method,
    bearer: by,
    ...(json === undefined ? {} : { json }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
};
const create = async (more: object): Promise<ScheduledReport> => {
  const body = { name: crypto.randomUUID(), projectId: world.seed.projectId, ...weekly, ...more };
  const { status, body: made } = await ask<ScheduledReport>('POST', '/scheduled-reports', body);
  expect([made, status]).toEqual([made, 201]);
  return made;
};
const runsOf = async ({ id }: { id: string }): Promise<ReportRun[]> =>
  (await ask<{ runs: ReportRun[] }>('GET', `/scheduled-reports/${id}/runs`)).body.runs;
/** Not by `runJob`, which refuses a second run: two processes could do this at once. */
const sendDue = () => sendDueReports.run(world.ctx, new AbortController().signal);
/** Sets the clock, and signs in again because login sessions end. */
const goTo = async (ms: number): Promise<void> => {
  world.clock.set(ms);
  bearer = await world.signIn(world.seed.email);
};
const remove = ({ id }: { id: string }) => ask('DELETE', `/scheduled-reports/${id}`);
/** The plain text of a mail, without the markup. */
const textOf = ({ text }: ReceivedMail): string => text.slice(0, text.indexOf('<!doctype'));

describe('the report of a week', () => {
  let report: ScheduledReport;
  let mail: ReceivedMail;

  test('is mailed once when it is due, also if two jobs run at once', async () => {
    await world.app.act(setBudgetAction, {
      organization: world.seed.organizationId,
      budget: { name: 'tight', of: { kind: 'organization' }, period: 'month', limitUsd: 0.04 },
    });
    report = await create({
      name: 'Weekly costs',
      groupBy: ['model', 'userId', 'tag:feature'],
      memberIds: [world.seed.userId],
    });
    expect(report.nextAt).toBe('2026-06-15T13:00:00.000Z');
    await sendDue();
    expect(await runsOf(report)).toEqual([]);
    world.clock.advance(HOUR_MS);
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    mail = await smtp.next(world.seed.email);
    const [run, ...others] = await runsOf(report);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ trigger: 'schedule', ...WEEK });
    await eventually('the mail is recorded', async () => {
      const [seen] = await runsOf(report);
      return seen?.mails[0]?.status === 'sent';
    });
    expect(smtp.mails).toEqual([]);
    const { body } = await ask<ScheduledReport>('GET', `/scheduled-reports/${report.id}`);
    expect(body).toMatchObject({ nextAt: '2026-06-22T13:00:00.000Z', lastRunAt: run?.at });
  });

  test('says in mail, page and terminal what the pages say of the same window', async () => {
    const query = new URLSearchParams({ projectId: world.seed.projectId, ...WEEK });
    const costs = (await (
      await world.fetch(`/v1/costs?${query}`, { bearer: world.seed.bearer })
    ).json()) as CostsReply;
    expect(costs).toMatchObject({ calls: 6, unpriced: 1 });
    const { body: preview } = await ask<ReportFigures>('POST', '/scheduled-reports/preview', {
      projectId: world.seed.projectId,
      groupBy: ['model', 'userId', 'tag:feature'],
      ...weekly,
    });
    expect(preview).toMatchObject({
      ...WEEK,
      cost: { current: costs.total, previous: costs.previousTotal },
      calls: { current: costs.calls, previous: 3 },
      unpriced: 1,
      unpricedBefore: 1,
      unpricedModels: [{ model: 'unheard-of', calls: 1, tokens: 1070 }],
      budgets: [{ name: 'tight' }],
    });
    const models = preview.sections.find(({ by }) => by === 'model')?.groups ?? [];
    for (const { model, total_cost, calls } of costs.byModel)
      expect([model, models.find(({ value }) => value === model)]).toMatchObject([
        model,
        { cost: { current: model === 'unheard-of' ? null : total_cost }, calls },
      ]);
    expect(models.map(({ unpriced }) => unpriced).reduce((a, b) => a + b)).toBe(1);
    expect(preview.changes.find(({ value }) => value === 'gpt-4-turbo')?.cost.current).toBeNull();

    const text = textOf(mail);
    const dollars = `$${costs.total.toFixed(4).replace(/0+$/, '')}`;
    for (const part of [
      'Costs of "Acme project"',
      // In both periods one call has no price: the costs are minimums.
      `≥ ${dollars}`,
      `≥ ${moneyText(costs.previousTotal ?? 0)}`,
      'gpt-4o-mini',
      'user-ann',
      'unheard-of',
      'tight',
      'Biggest changes',
    ])
      expect([part, text.includes(part)]).toEqual([part, true]);
    const link = /https:\/\/ledger\.test(\/projects\/\S+)/.exec(text)?.[1] ?? '';
    expect(new URL(link, 'https://x').searchParams.get('start')).toBe(WEEK.start);
    expect(new URL(link, 'https://x').searchParams.get('end')).toBe(WEEK.end);
    expect(mail.raw).not.toContain('|evil.example');

    const url = world.ctx.config.DATABASE_URL;
    const env = { DATABASE_URL: url };
    const shown = await runWith(commands, ['scheduled-reports', 'show', report.id, '--json'], { env });
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    const { runs } = JSON.parse(shown.stdout) as { preview: ReportFigures; runs: ReportRun[] };
    expect(runs[0]).toMatchObject({ costUsd: costs.total, unpriced: 1 });
  });

  test('is made once for all times that passed while no server ran', async () => {
    await goTo(Date.parse('2026-07-20T12:59:00.000Z'));
    await Promise.all([sendDue(), sendDue()]);
    await sendDue();
    const runs = await runsOf(report);
    expect(runs.map(({ start }) => start)).toEqual(['2026-07-05T22:00:00.000Z', WEEK.start]);
    await smtp.next(world.seed.email);
    await goTo(Date.parse('2026-07-20T13:00:00.000Z'));
    await sendDue();
    expect((await runsOf(report))[0]?.start).toBe('2026-07-12T22:00:00.000Z');
    await smtp.next(world.seed.email);
    await goTo(TEST_NOW + HOUR_MS);
  });

  test('does not report a period again after its schedule changed, and rests while it is paused', async () => {
    const own = await create({ memberIds: [world.seed.userId], hour: 16 });
    const body = { name: own.name, projectId: own.projectId, ...weekly, memberIds: [world.seed.userId] };
    await goTo(Date.parse(own.nextAt ?? ''));
    await sendDue();
    await smtp.next(world.seed.email);
    await ask('PUT', `/scheduled-reports/${own.id}`, { ...body, hour: 17 });
    world.clock.advance(HOUR_MS);
    await sendDue();
    expect(await runsOf(own)).toHaveLength(1);
    await ask('PUT', `/scheduled-reports/${own.id}`, { ...body, paused: true });
    await goTo(world.clock.now() + 8 * DAY_MS);
    await sendDue();
    expect(await runsOf(own)).toHaveLength(1);
    await remove(own);
    await goTo(TEST_NOW + HOUR_MS);
    while (smtp.mails.length > 0) smtp.mails.pop();
    await remove(report);
  });
});

describe('what is committed', () => {
  test('is all of a run or nothing, and mails that a stopped server left are sent by the next', async () => {
    const report = await create({ memberIds: [world.seed.userId] });
    await goTo(Date.parse(report.nextAt ?? ''));
    // The last statement of the transaction fails, as it does for whoever kills the process before it.
    await world.ctx.db.sql.run(
      "CREATE TRIGGER stop BEFORE UPDATE OF next_at ON scheduled_reports BEGIN SELECT RAISE(ABORT, 'stop'); END",
    );
    await sendDue();
    expect(world.errors.splice(0).join()).toContain('a scheduled report failed');
    expect(await runsOf(report)).toEqual([]);
    await world.ctx.db.sql.run('DROP TRIGGER stop');
    smtp.refuse(421);
    await sendDue();
    await eventually('the first attempt failed', async () => {
      const [run] = await runsOf(report);
      return run?.mails[0]?.error != null;
    });
    expect((await runsOf(report))[0]?.mails[0]?.status).toBe('pending');
    await world.reopen();
    await sendDue();
    world.clock.advance(HOUR_MS);
    const deliverOutbox = modules
      .flatMap(({ jobs = [] }) => jobs)
      .find(({ name }) => name === 'outbox.deliver');
    if (deliverOutbox === undefined) throw new Error('no job');
    await runJob(world.ctx, deliverOutbox, 'schedule');
    await smtp.next(world.seed.email);
    expect(await runsOf(report)).toHaveLength(1);
    expect(smtp.mails).toEqual([]);
    await remove(report);
    await goTo(TEST_NOW + HOUR_MS);
  });
});

describe('who gets it', () => {
  test('is no member that left, nobody who unsubscribed, and every channel without end users', async () => {
    const [gone, bored] = [await world.addUser('viewer'), await world.addUser('member')];
    const channel = await hooks.channel(
      { name: 'hook', kind: 'webhook', config: { url: `${hooks.url}/hook` } },
      { ...world.seed, bearer },
    );
    const report = await create({
      groupBy: ['userId', 'model'],
      memberIds: [world.seed.userId, gone.userId, bored.userId],
      channelIds: [channel.id],
    });
    const own = await ask<{ reports: object[] }>('GET', '/auth/scheduled-reports', undefined, bored.bearer);
    expect(own.body.reports).toMatchObject([{ id: report.id, organization: 'Acme', subscribed: true }]);
    const unsubscribe = `/auth/scheduled-reports/${report.id}`;
    expect((await ask('PUT', unsubscribe, { subscribed: false }, bored.bearer)).status).toBe(204);
    const foreign = await world.addTenant();
    expect((await ask('PUT', unsubscribe, { subscribed: false }, foreign.bearer)).status).toBe(404);
    await world.app.act(removeUser, { organization: world.seed.organizationId, email: gone.email });
    const { status, body: run } = await ask<ReportRun>('POST', `/scheduled-reports/${report.id}/send`);
    expect([status, run.trigger]).toEqual([201, 'person']);
    await smtp.next(world.seed.email);
    await hooks.send();
    await eventually('all is done', async () =>
      (await runsOf(report)).every(
        ({ mails, deliveries }) =>
          mails.every(({ finishedAt }) => finishedAt !== null) && deliveries[0]?.status === 'delivered',
      ),
    );
    const [seen] = await runsOf(report);
    const outcomes = Object.fromEntries(seen?.mails.map(({ userId, ...mail }) => [userId, mail]) ?? []);
    expect(outcomes[gone.userId]).toMatchObject({ status: 'skipped', error: 'Not a member any more' });
    expect(outcomes[bored.userId]).toBeUndefined();
    expect(smtp.mails).toEqual([]);
    const hook = hooks.hooks.find(({ path }) => path === '/hook');
    expect(hook?.body).toContain('gpt-4o');
    expect(hook?.body).not.toContain('user-ann');

    await ask('PUT', unsubscribe, { subscribed: true }, bored.bearer);
    const { body: after } = await ask<ScheduledReport>('GET', `/scheduled-reports/${report.id}`);
    expect(after.recipients.map(({ unsubscribedAt }) => unsubscribedAt)).toEqual([null, null, null]);

    await remove(report);
  });

  test.each([
    ['nobody', { memberIds: [] }, 'at least one member'],
    ['a person of another organization', { memberIds: ['user_x'] }, 'no member user_x'],
    ['a channel of another organization', { channelIds: ['chn_x'] }, 'no channel chn_x'],
    ['a project of another organization', { projectId: 'prj_x', memberIds: ['SEED'] }, 'no project prj_x'],
    ['users of all projects', { projectId: null, groupBy: ['userId'] }, 'userId needs a project'],
    ['an eighth weekday', { day: 8, memberIds: ['SEED'] }, '1 (Monday) to 7'],
    ['a zone of no place', { timeZone: 'Mars/Base', memberIds: ['SEED'] }, 'IANA'],
  ])('cannot be %s', async (_, body, message) => {
    const text = JSON.stringify({ name: 'x', projectId: world.seed.projectId, ...weekly, ...body });
    const json = JSON.parse(text.replace('SEED', world.seed.userId)) as object;
    const { status, body: reply } = await ask<{ error: string }>('POST', '/scheduled-reports', json);
    expect(status).toBe(400);
    expect(reply.error).toContain(message);
  });
});

test('a report of all projects has a section of projects with their pages, and no users', async () => {
  const { body } = await ask<ReportFigures>('POST', '/scheduled-reports/preview', weekly);
  expect(body).toMatchObject({ subject: 'Acme', projectId: null, path: null });
  const foreign = await world.addTenant('Initech');
  const other = await world.fetch(`/v1/scheduled-reports/preview?organizationId=${foreign.organizationId}`, {
    bearer: world.seed.bearer,
    json: weekly,
  });
  expect(other.status).toBe(403);
});

test('erasing an end user deletes the runs that name them', async () => {
  const report = await create({ groupBy: ['userId'], memberIds: [world.seed.userId] });
  await ask('POST', `/scheduled-reports/${report.id}/send`);
  await smtp.next(world.seed.email);
  expect(await runsOf(report)).toHaveLength(1);
  const path = `/projects/${world.seed.projectId}/erasures`;
  expect((await ask('POST', path, { userId: 'user-ann' })).status).toBeLessThan(300);
  await erasureJob.run(world.ctx, new AbortController().signal);
  expect(await runsOf(report)).toEqual([]);
});
