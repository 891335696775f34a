import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createProject } from '../../../src/core/projects/index.ts';
import type {
  CompiledPrompt,
  Prompt,
  PromptsPage,
  PromptVersion,
  VersionRow,
} from '../../../src/core/prompts/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole, type Person } from '../../helpers/people.ts';
import { tablesWithText } from '../../helpers/stored-text.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
let people: Awaited<ReturnType<typeof everyRole>>;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
  ask = asker(world);
  people = await everyRole(world);
});
afterAll(() => world.close());

const url = (name: string, rest = '', query = ''): string =>
  `/v1/prompts/${encodeURIComponent(name)}${rest}?projectId=${world.seed.projectId}${query}`;
const all = (query = ''): string => `/v1/prompts?projectId=${world.seed.projectId}${query}`;
const make = async (
  name: string,
  body: object = { template: 'Hi' },
  by: Person = people.member,
): Promise<Prompt> => {
  const reply = await ask('POST', all(), by.bearer, { name, ...body });
  expect([name, reply.status, reply.body]).toEqual([name, 201, expect.anything()]);
  return reply.body as Prompt;
};
const publish = (name: string, body: object, by: Person = people.member) =>
  ask('POST', url(name, '/versions'), by.bearer, body);
const label = (name: string, of: string, body: object, by: Person = people.member) =>
  ask('PUT', url(name, `/labels/${of}`), by.bearer, body);
const fetched = async (
  name: string,
  query = '',
): Promise<{ status: number; body: CompiledPrompt & { error: string } }> => {
  const reply = await world.fetch(`/v1/sdk/prompts/${encodeURIComponent(name)}?${query}`, {
    apiKey: world.seed.apiKey,
  });
  return { status: reply.status, body: (await reply.json()) as CompiledPrompt & { error: string } };
};

describe('versions and labels', () => {
  test('a prompt gets versions, of which labels name one; latest moves by itself', async () => {
    const made = await make('support/triage', {
      template: 'Sort {{ticket}}',
      config: { model: 'gpt-4o-mini', temperature: 0, own: { a: 1 } },
      message: 'First',
      labels: ['production'],
      tags: ['support', 'support'],
    });
    expect(made).toMatchObject({ type: 'text', latestVersion: 1, tags: ['support'] });
    expect((await publish('support/triage', { template: 'Sort it: {{ticket}}' })).body).toMatchObject({
      version: 2,
      labels: ['latest'],
      variables: ['ticket'],
    });
    expect((await fetched('support/triage')).body).toEqual({
      name: 'support/triage',
      type: 'text',
      label: 'production',
      version: 1,
      template: 'Sort {{ticket}}',
      config: { model: 'gpt-4o-mini', temperature: 0, own: { a: 1 } },
      variables: ['ticket'],
      split: null,
    } as never);
    expect((await fetched('support/triage', 'label=latest')).body.version).toBe(2);
    expect((await fetched('support/triage', 'version=2')).body).toMatchObject({ version: 2, label: null });
    expect((await label('support/triage', 'production', { version: 2 })).body).toMatchObject({
      versions: [{ version: 2, weight: 1 }],
    });
    expect((await fetched('support/triage')).body.version).toBe(2);
    const { versions } = (await ask('GET', url('support/triage', '/versions'), people.viewer.bearer))
      .body as {
      versions: VersionRow[];
    };
    expect(versions.map(({ version, labels }) => [version, labels])).toEqual([
      [2, ['latest', 'production']],
      [1, []],
    ]);
  });

  test('a chat prompt keeps its messages, and stays one', async () => {
    const messages = [
      { role: 'system', content: 'Be {{mood}}' },
      { role: 'user', content: '{{question}}' },
    ];
    await make('chat', { messages, labels: ['production'] });
    expect((await fetched('chat')).body).toMatchObject({
      type: 'chat',
      messages,
      variables: ['mood', 'question'],
    });
    expect(await publish('chat', { template: 'x' })).toMatchObject({
      status: 409,
      body: { error: 'chat is a chat prompt; give messages, or make a new prompt' },
    });
  });

  test('two people who publish at once get two versions', async () => {
    await make('busy');
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => publish('busy', { template: `v${i}` })),
    );
    const versions = replies.map(({ body }) => (body as PromptVersion).version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 2));
    const created = await Promise.all(
      Array.from({ length: 5 }, () =>
        ask('POST', all(), people.member.bearer, { name: 'once', template: 'x' }),
      ),
    );
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  });

  test.each([
    [{ template: 'a {{b' }, /template: \{\{ in line 1 is never closed/],
    [{ template: 'x', messages: [{ role: 'user', content: 'x' }] }, /give either template or messages/],
    [{}, /give either template or messages/],
    [{ template: 'x'.repeat(200_001) }, /must not have more than 200,000 characters/],
    [{ template: '{{> gone}}' }, /there is no prompt gone/],
    [{ template: 'x', labels: ['latest'] }, /latest is always the newest version/],
    [{ template: 'x', labels: ['2x'] }, /labels/],
    [{ template: 'x', config: { temperature: 'hot' } }, /temperature/],
    [{ template: 'x', config: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }, /nested|deep/],
    [{ template: 'x', config: { a: 'x'.repeat(70_000) } }, /64000 characters/],
    [{ messages: [{ role: 'robot', content: 'x' }] }, /role/],
  ])('%p is refused', async (body, expected) => {
    await make('steady').catch(() => {});
    const reply = await ask('POST', all(), people.member.bearer, { name: 'steady2', ...body });
    expect([400, 409]).toContain(reply.status);
    expect((reply.body as { error: string }).error).toMatch(expected);
  });

  test.each([
    'ünï/côdé 😀',
    'a.b.c',
    'versions',
    'compiled',
    'x'.repeat(200),
    'a/b/c/d/e',
    '100%',
    'what?#&=+',
    "it's",
    'constructor',
    '__proto__',
    'Ａ',
  ])('the name %s works everywhere', async (name) => {
    await make(name, { template: 'Hi', labels: ['production'] });
    expect((await fetched(name)).body).toMatchObject({ name, version: 1 });
    expect((await ask('GET', url(name, '/versions/1'), people.viewer.bearer)).body).toMatchObject({ name });
    expect((await ask('GET', url(name), people.viewer.bearer)).body).toMatchObject({ name });
  });

  test.each([
    '',
    ' ',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    'a@b',
    'a{b',
    'a\\b',
    'a\u0000b',
    'a / b',
    'x'.repeat(201),
  ])('the name %p is refused', async (name) => {
    expect((await ask('POST', all(), people.member.bearer, { name, template: 'x' })).status).toBe(400);
  });

  test('of another project is not found, and a viewer changes nothing', async () => {
    await make('mine', { template: 'x', labels: ['production'] });
    const other = await world.app.act(createProject, { organization: 'Acme', name: 'second' });
    const path = `/v1/prompts/mine?projectId=${other.id}`;
    expect((await ask('GET', path, world.seed.bearer)).status).toBe(404);
    expect((await ask('DELETE', `${path}&confirm=mine`, world.seed.bearer)).status).toBe(404);
    const foreign = await world.addTenant('Umbrella');
    const reply = await world.fetch('/v1/sdk/prompts/mine', { apiKey: foreign.apiKey });
    expect(reply.status).toBe(404);
    expect((await publish('mine', { template: 'y' }, people.viewer)).status).toBe(403);
  });
});

describe('protected labels', () => {
  test('need an admin to move, to remove, to publish and to delete', async () => {
    await make('guarded', { template: 'x', labels: ['live'] });
    await publish('guarded', { template: 'y' });
    const settings = `/v1/prompt-settings?projectId=${world.seed.projectId}`;
    expect((await ask('PUT', settings, people.member.bearer, { protectedLabels: ['live'] })).status).toBe(
      403,
    );
    expect((await ask('PUT', settings, people.admin.bearer, { protectedLabels: ['live'] })).body).toEqual({
      protectedLabels: ['live'],
    });
    const refused = { status: 403, body: { error: 'live is a protected label; only admins change it' } };
    expect(await label('guarded', 'live', { version: 2 })).toMatchObject(refused);
    expect(await ask('DELETE', url('guarded', '/labels/live'), people.member.bearer)).toMatchObject(refused);
    expect(await publish('guarded', { template: 'z', labels: ['live'] })).toMatchObject(refused);
    expect(await ask('DELETE', url('guarded', '', '&confirm=guarded'), people.member.bearer)).toMatchObject(
      refused,
    );
    // A refused step leaves no version behind.
    expect((await ask('GET', url('guarded'), people.viewer.bearer)).body).toMatchObject({
      latestVersion: 2,
      labels: [{ label: 'live', isProtected: true, versions: [{ version: 1 }] }],
    });
    expect((await label('guarded', 'live', { version: 1 })).status).toBe(200);
    expect((await label('guarded', 'live', { version: 2 }, people.admin)).status).toBe(200);
    expect((await ask('PUT', settings, people.admin.bearer, { protectedLabels: [] })).status).toBe(200);
  });
});

describe('a split', () => {
  test('gives a key always the same version, and all of them to a client that chooses', async () => {
    await make('ab', { template: 'one' });
    for (const text of ['two', 'three']) await publish('ab', { template: text });
    const versions = [
      { version: 1, weight: 50 },
      { version: 2, weight: 50 },
    ];
    expect((await label('ab', 'production', { versions })).status).toBe(200);
    const keys = Array.from({ length: 40 }, (_, i) => `u${i}`);
    const chosen = async () =>
      Promise.all(keys.map(async (key) => (await fetched('ab', `stickyKey=${key}`)).body.version));
    const first = await chosen();
    expect(new Set(first)).toEqual(new Set([1, 2]));
    expect(await chosen()).toEqual(first);
    await publish('ab', { template: 'four', labels: ['staging'] });
    expect(await chosen()).toEqual(first);
    expect((await fetched('ab', 'candidates=true')).body).toMatchObject({
      split: versions,
      candidates: [
        { version: 1, template: 'one', weight: 50 },
        { version: 2, template: 'two', weight: 50 },
      ],
    });
    const refused = await ask('DELETE', url('ab', '/versions/2'), people.member.bearer);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'production is version 1 (50%), version 2 (50%) of ab; point it elsewhere first' },
    });
    expect((await label('ab', 'production', { versions: [{ version: 9, weight: 1 }] })).body).toEqual({
      error: 'ab has no version 9',
    });
    for (const bad of [
      [],
      [...versions, ...versions],
      [{ version: 1, weight: 0 }],
      [{ version: 1, weight: -1 }],
    ])
      expect((await label('ab', 'production', { versions: bad })).status).toBe(400);
  });

  test('a version that no label names can be deleted; its number is not used again', async () => {
    await make('gaps', { template: 'one', labels: ['production'] });
    await publish('gaps', { template: 'two' });
    expect((await ask('DELETE', url('gaps', '/versions/2'), people.member.bearer)).status).toBe(204);
    expect((await fetched('gaps', 'version=2')).body.error).toBe('gaps has no version 2');
    expect((await fetched('gaps', 'label=latest')).body.version).toBe(1);
    expect((await publish('gaps', { template: 'three' })).body).toMatchObject({ version: 3 });
  });
});

describe('includes', () => {
  test('are resolved when a prompt is fetched, so that a moved label is seen at once', async () => {
    await make('parts/tone', { template: 'Be {{mood}}.', labels: ['production'] });
    await make('letter', { template: '{{> parts/tone}} Write to {{name}}.', labels: ['production'] });
    expect((await fetched('letter')).body).toMatchObject({
      template: 'Be {{mood}}. Write to {{name}}.',
      variables: ['mood', 'name'],
    });
    await publish('parts/tone', { template: 'Be calm.', labels: ['production'] });
    expect((await fetched('letter')).body).toMatchObject({
      template: 'Be calm. Write to {{name}}.',
      variables: ['name'],
    });
    expect((await ask('GET', url('parts/tone'), people.viewer.bearer)).body).toMatchObject({
      includedBy: [{ name: 'letter', version: 1 }],
    });
    expect(
      await ask('DELETE', url('parts/tone', '', '&confirm=parts/tone'), people.member.bearer),
    ).toMatchObject({
      status: 409,
      body: { error: 'letter includes parts/tone; change it first' },
    });
    expect(await ask('DELETE', url('parts/tone', '/labels/production'), people.member.bearer)).toMatchObject({
      status: 409,
      body: { error: 'letter includes parts/tone; change it first' },
    });
  });

  test('a cycle is refused when the version or the label that closes it is made', async () => {
    await make('loop/a', { template: 'x', labels: ['production'] });
    await make('loop/b', { template: '{{> loop/a}}', labels: ['production'] });
    const refused = await publish('loop/a', { template: '{{> loop/b}}' });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'loop/a: Includes form a cycle: {{> loop/b}} → {{> loop/a}}; remove one of them' },
    });
    expect((await fetched('loop/a')).body.template).toBe('x');
  });
});

describe('fetching', () => {
  test('an unchanged prompt is 304, a changed one is not', async () => {
    await make('tagged', { template: 'one', labels: ['production'] });
    const get = (etag = '') =>
      world.fetch('/v1/sdk/prompts/tagged', {
        apiKey: world.seed.apiKey,
        headers: { 'If-None-Match': etag },
      });
    const first = await get();
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag.length]).toEqual([200, 34]);
    expect((await get(etag)).status).toBe(304);
    expect((await get(`W/${etag}, "other"`)).status).toBe(304);
    await publish('tagged', { template: 'two', labels: ['production'] });
    const changed = await get(etag);
    expect([changed.status, ((await changed.json()) as CompiledPrompt).template]).toEqual([200, 'two']);
  });

  test('says what is missing', async () => {
    expect(await fetched('nowhere')).toMatchObject({
      status: 404,
      body: { error: 'There is no prompt nowhere' },
    });
    await make('unlabelled');
    expect((await fetched('unlabelled')).body.error).toBe(
      'unlabelled has no label production; it has latest',
    );
    expect(await fetched('unlabelled', 'label=a&version=1')).toMatchObject({ status: 400 });
    expect((await fetched('unlabelled', 'version=0')).status).toBe(400);
    expect((await fetched('unlabelled', `stickyKey=${'x'.repeat(501)}`)).status).toBe(400);
  });

  test('a person and an access token get the same as a key', async () => {
    await make('same', { template: 'x', labels: ['production'] });
    const byKey = (await fetched('same')).body;
    expect((await ask('GET', url('same', '/compiled'), people.viewer.bearer)).body).toEqual(byKey);
  });
});

describe('the list', () => {
  test('has folders, a search, tags and pages', async () => {
    const other = await world.app.act(createProject, { organization: 'Acme', name: 'list' });
    const at = (query: string) => `/v1/prompts?projectId=${other.id}${query}`;
    for (const name of ['top', 'a/one', 'a/two', 'a/deep/three', 'b/50%_off'])
      await ask('POST', at(''), world.seed.bearer, { name, template: 'x', tags: [name.split('/')[0] ?? ''] });
    const list = async (query: string): Promise<PromptsPage> =>
      (await ask('GET', at(query), people.viewer.bearer)).body as PromptsPage;
    const names = async (query: string) => (await list(query)).prompts.map(({ name }) => name);
    expect(await list('&folder=')).toMatchObject({
      folders: [
        { path: 'a', prompts: 3 },
        { path: 'b', prompts: 1 },
      ],
      tags: ['a', 'b', 'top'],
    });
    expect(await names('&folder=')).toEqual(['top']);
    expect(await list('&folder=a')).toMatchObject({ folders: [{ path: 'a/deep', prompts: 1 }] });
    expect(await names('&folder=a')).toEqual(['a/one', 'a/two']);
    expect(await names('&q=THREE')).toEqual(['a/deep/three']);
    expect(await names('&q=%25_')).toEqual(['b/50%_off']);
    expect(await names('&tag=b')).toEqual(['b/50%_off']);
    const first = await list('&limit=2');
    expect(first.nextCursor).toBe('a/one');
    expect(await names(`&limit=200&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)).toEqual([
      'a/two',
      'b/50%_off',
      'top',
    ]);
  });

  test('finds what the newest version says, and for an erasure what any version ever said', async () => {
    const other = await world.app.act(createProject, { organization: 'Acme', name: 'texts' });
    const at = (path: string, query = '') => `/v1/${path}?projectId=${other.id}${query}`;
    const { bearer } = people.member;
    const messages = [{ role: 'user', content: 'Greet "Ada"\nLovelace' }];
    await ask('POST', at('prompts'), bearer, { name: 'chat', messages });
    await ask('POST', at('prompts'), bearer, { name: 'text', template: 'Mail kim@people.example' });
    await ask('POST', at('prompts/text/versions'), bearer, { template: 'Mail {{address}}' });
    const names = async (query: string) =>
      ((await ask('GET', at('prompts', query), bearer)).body as PromptsPage).prompts.map(({ name }) => name);
    expect(await names(`&q=${encodeURIComponent('greet "ADA"\nlove')}`)).toEqual(['chat']);
    expect(await names('&q=ADDRESS')).toEqual(['text']);
    expect(await names('&q=kim@people.example')).toEqual([]);
    expect(await names('&text=kim@people.example')).toEqual(['text']);
    expect(await names('&text=Ada')).toEqual(['chat']);
    expect((await ask('DELETE', at('prompts/text/versions/1'), bearer)).status).toBe(204);
    expect(tablesWithText(world.ctx.db.path, 'kim@people.example')).toEqual([]);
  });

  test('is a document that another project takes, once', async () => {
    const [from, to] = await Promise.all(
      ['from', 'to'].map((name) => world.app.act(createProject, { organization: 'Acme', name })),
    );
    const at = (path: string, project = from) => `/v1/${path}?projectId=${project?.id}`;
    const { bearer } = people.member;
    await ask('POST', at('prompts'), bearer, {
      name: 'a/one',
      template: 'One {{x}}',
      tags: ['t'],
      config: { model: 'm', temperature: 0 },
    });
    await ask('POST', at('prompts'), bearer, { name: 'two', messages: [{ role: 'user', content: 'Two' }] });
    const { body } = await ask('GET', at('prompt-files'), people.viewer.bearer);
    const sent = (more: object = {}) =>
      ask('POST', at('prompt-files', to), bearer, { ...(body as object), ...more });
    const changes = (reply: Awaited<ReturnType<typeof sent>>): string[] =>
      (reply.body as { prompts: { change: string }[] }).prompts.map(({ change }) => change);
    expect(changes(await sent({ dryRun: true }))).toEqual(['created', 'created']);
    expect((await ask('GET', at('prompt-files', to), bearer)).body).toEqual({ prompts: [] });
    expect(changes(await sent({ labels: ['production'], message: 'Moved' }))).toEqual(['created', 'created']);
    expect(changes(await sent())).toEqual(['unchanged', 'unchanged']);
    expect((await ask('GET', at('prompt-files', to), bearer)).body).toEqual(body);
    const twice = {
      prompts: [
        { name: 'a', template: 'x' },
        { name: 'a', template: 'y' },
      ],
    };
    expect((await ask('POST', at('prompt-files', to), bearer, twice)).status).toBe(400);
    const wrong = { prompts: [{ name: 'a/one', template: 'x {{' }] };
    expect((await ask('POST', at('prompt-files', to), bearer, wrong)).body).toMatchObject({
      error: expect.stringMatching(/^a\/one: template: \{\{ in line 1 is never closed/),
    });
    expect((await ask('POST', at('prompt-files', to), people.viewer.bearer, body)).status).toBe(403);
  });

  test('a prompt is deleted only with its name typed again', async () => {
    await make('gone', { template: 'x', labels: ['production'] });
    expect((await ask('DELETE', url('gone', '', '&confirm=gon'), people.member.bearer)).status).toBe(400);
    expect((await ask('DELETE', url('gone', '', '&confirm=gone'), people.member.bearer)).status).toBe(204);
    expect((await fetched('gone')).status).toBe(404);
    await make('gone');
  });
});
