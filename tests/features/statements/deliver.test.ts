import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Statement, Statements } from '../../../src/features/statements/contract.ts';
import { closeMonthsJob } from '../../../src/features/statements/jobs.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../core/deliveries/world.ts';
import { openSmtp, type TestSmtp } from '../../helpers/smtp.ts';

const NO_SIGNAL = new AbortController().signal;
let smtp: TestSmtp;
let world: DeliveryWorld;
beforeEach(async () => {
  smtp = await openSmtp();
  world = await openDeliveryWorld({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'books@example.com' } });
});
afterEach(async () => {
  await world.close();
  await smtp.close();
});

test('each statement of a closed month arrives once by e-mail and by webhook, with the amounts of the API', async () => {
  const { app } = world;
  const { organizationId, apiKey } = app.seed;
  const mail = await world.channel({ name: 'mail', kind: 'email', config: { to: ['finance@example.com'] } });
  const hook = await world.channel({ name: 'hook', kind: 'webhook', config: { url: `${world.url}/hook` } });
  app.clock.set(Date.UTC(2026, 4, 31));
  const bearer = await app.signIn(app.seed.email);
  const settings = { by: 'tag:customer', closeDay: 3, markupPercent: 10, channelIds: [mail.id, hook.id] };
  const defined = await app.fetch(`/v1/organizations/${organizationId}/statement-definitions`, {
    method: 'PUT',
    bearer,
    json: settings,
  });
  expect(defined.status).toBe(200);
  const call = (customer: string, cost_usd: number) => ({
    timestamp: '2026-05-02T10:00:00Z',
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 10,
    cost_usd,
    tags: { customer },
  });
  await app.fetch('/v1/ingest', { apiKey, events: [call('Grün & Söhne', 1), call('<b>', 2)] });
  app.clock.set(Date.UTC(2026, 5, 3));
  expect(await closeMonthsJob.run(app.ctx, NO_SIGNAL)).toEqual({ closed: 1, sent: 2 });
  expect(await closeMonthsJob.run(app.ctx, NO_SIGNAL)).toEqual({});
  smtp.refuse(451);
  await world.send();
  app.clock.advance(6_000);
  await world.send();

  const signedIn = await app.signIn(app.seed.email);
  const path = `/v1/organizations/${organizationId}/statements?month=2026-05&by=tag:customer`;
  const { statements } = (await (await app.fetch(path, { bearer: signedIn })).json()) as Statements;
  expect(statements.map(({ total }) => total).sort()).toEqual(['1.10', '2.20']);
  const sent = world.hooks.map(({ body }) => JSON.parse(body) as { data: { statement: Statement } });
  expect(sent.map(({ data }) => [data.statement.name, data.statement.total]).sort()).toEqual([
    ['<b>', '2.20'],
    ['Grün & Söhne', '1.10'],
  ]);
  const mails = [await smtp.next('finance@example.com'), await smtp.next('finance@example.com')];
  expect(smtp.mails).toEqual([]);
  for (const { number, name, total, lines } of sent.map(({ data }) => data.statement)) {
    expect(statements).toContainEqual(expect.objectContaining({ number, name, total }));
    const one = mails.find(({ text }) => text.includes(`Total for ${name}: ${total} USD`));
    expect(one?.raw).toMatch(new RegExp(`^Subject: .*Statement.${number}`, 'm'));
    expect(one?.text).toContain('/statements/party?by=tag%3Acustomer');
    for (const { text, amount } of lines) expect(one?.text).toContain(`${text}: ${amount} USD`);
  }
  expect(mails.some(({ text }) => text.includes('Total for &lt;b&gt;: 2.20 USD'))).toBe(true);
});
