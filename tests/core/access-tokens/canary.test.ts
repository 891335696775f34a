import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import type { CreatedToken } from '../../../src/core/access-tokens/contract.ts';
import { openTestApp } from '../../helpers/app.ts';
import { auditRows } from '../audit/rows.ts';

test('no log line, reply, audit entry or file contains a token, right or wrong', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const world = await openTestApp({ log });
  const { organizationId, projectId, bearer, apiKey } = world.seed;
  const base = `/v1/access-tokens?organizationId=${organizationId}`;
  const made = await world.fetch(base, { bearer, json: { name: 'ci', scopes: ['read'] } });
  const { id, token } = (await made.json()) as CreatedToken;
  const wrong = `slt_${'c'.repeat(64)}`;
  const malformed = `slt_${'canary'.repeat(20)}`;
  const replies: string[] = [];
  for (const sent of [token, wrong, malformed])
    for (const path of [
      `/v1/events?projectId=${projectId}`,
      `${base}`,
      '/v1/auth/me',
      `/v1/costs?projectId=x`,
    ])
      replies.push(await (await world.fetch(path, { bearer: sent })).text());
  // Tokens in places where they do not belong.
  const events = [
    { provider: 'openai', model: 'gpt-4o', tags: { note: token }, metadata: { at: [wrong] } },
    { provider: 'openai', metadata: { why: `refused ${token}` } },
  ];
  replies.push(await (await world.fetch('/v1/ingest', { apiKey, events })).text());
  const named = { name: 'x', scopes: [token] };
  replies.push(await (await world.fetch(base, { bearer, json: named })).text());
  for (const path of [`/v1/events?projectId=${projectId}`, `/v1/quarantine?projectId=${projectId}`, base])
    replies.push(await (await world.fetch(path, { bearer: token })).text());
  await world.fetch(base.replace('?', `/${id}?`), { method: 'DELETE', bearer });
  const rows = JSON.stringify(await auditRows(world.ctx));
  const folder = dirname(world.ctx.db.path);
  await world.reopen();
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  await world.close();

  expect(replies.length).toBe(17);
  expect(lines.length).toBeGreaterThan(0);
  const places = { log: lines.join(''), reply: replies.join(''), audit: rows, file: files.join('') };
  for (const secret of [token.slice(16), 'c'.repeat(60), 'canarycanary'])
    expect(
      Object.entries(places)
        .filter(([, text]) => text.includes(secret))
        .map(([place]) => place),
      secret,
    ).toEqual([]);
});
