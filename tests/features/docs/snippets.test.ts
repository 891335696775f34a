import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createTokenAction } from '../../../src/core/access-tokens/index.ts';
import { createUser } from '../../../src/core/auth/index.ts';
import { SNIPPETS } from '../../../src/features/ingest/snippets.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const FOLDER = join(import.meta.dir, '../../..');

let world: TestApp;
let server: ReturnType<typeof Bun.serve>;
let token: string;
const asked: string[] = [];
beforeAll(async () => {
  world = await openTestApp({ now: Date.now() });
  const { email } = world.seed;
  const person = { email: 'you@example.com', password: 'a-long-password', organization: 'Acme' };
  await world.app.act(createUser, { ...person, role: 'member' });
  const scopes = ['read', 'deployments:write'] as const;
  ({ token } = await world.app.act(createTokenAction, {
    organization: 'Acme',
    user: email,
    name: 't',
    scopes,
  }));
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const reply = await world.app.fetch(request, { address: '127.0.0.1' });
      asked.push(`${request.method} ${new URL(request.url).pathname} ${reply.status}`);
      return reply;
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await world.close();
});

/** Runs lines of a shell against this server, and returns the requests that they made, with the status. */
async function requestsOf(lines: string): Promise<string[]> {
  const url = server.url.origin;
  const shell = Bun.spawn(
    ['sh', '-c', lines.replaceAll(/https?:\/\/(127\.0\.0\.1:4318|ledger\.example\.com)/g, url)],
    {
      env: {
        PATH: process.env.PATH,
        SPANLEDGER_URL: url,
        SPANLEDGER_API_KEY: world.seed.apiKey,
        SPANLEDGER_TOKEN: token,
        PROJECT_ID: world.seed.projectId,
        GITHUB_REF_NAME: '2.4.1',
        GITHUB_SHA: '9f2c1ab',
      },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  );
  await shell.exited;
  return asked.splice(0);
}

/** The blocks of a language in Markdown that use curl. */
const curls = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].flatMap(([, block = '']) =>
    block.includes('curl ') ? [block.replace(/ -o \S+$|^(export )?SPANLEDGER_TOKEN=.*$/gm, '')] : [],
  );

test('the requests of the README are accepted', async () => {
  const blocks = curls(await Bun.file(join(FOLDER, 'README.md')).text(), 'bash');
  const requests = await requestsOf(blocks.join('\n'));
  expect(requests).toEqual([
    'POST /v1/ingest 202',
    'POST /v1/auth/login 200',
    'GET /v1/costs 200',
    // Its challenge is made up.
    'POST /v1/auth/login/second-factor 401',
    'GET /v1/costs 200',
    'GET /v1/events/export 200',
    'POST /v1/deployments 201',
  ]);
});

test('the requests of the pages below /docs and of Send events are accepted', async () => {
  const pages = await Promise.all(
    ['events', 'filters', 'alerts', 'incidents', 'opentelemetry'].map((name) =>
      Bun.file(join(FOLDER, 'src/features/docs/pages', `${name}.md`)).text(),
    ),
  );
  const example = '{"provider":"openai","model":"gpt-4o"}';
  const blocks = curls(pages.join('\n').replace('{{example}}', example), 'sh');
  const start = SNIPPETS.curl.blocks({ origin: server.url.origin, apiKey: world.seed.apiKey });
  const requests = await requestsOf([...blocks, ...start.map(({ text }) => text)].join('\n'));
  expect(requests).toHaveLength(blocks.length + start.length);
  expect(requests.filter((request) => !/ 20[0-4]$/.test(request))).toEqual([]);
});
