import { afterAll, beforeAll, expect, test } from 'bun:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createAssets, encodeFor } from '../../../src/features/dashboard/serve-asset.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const page = async (path: string) => {
  const response = await app.fetch(path);
  return { response, html: await response.text() };
};
const asset = (html: string, ending: string): string =>
  html.match(new RegExp(`"(/assets/[^"]+\\.${ending})"`))?.[1] ?? 'no such file in the page';

test('every address of the dashboard is the one page, never kept', async () => {
  for (const path of ['/', '/sign-in', '/setup', '/projects/prj_1/traces/abc?range=7d']) {
    const { response, html } = await page(path);
    expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<div id="root">');
    expect(html).not.toContain('{{');
  }
});

test('only own scripts may run, and styles by a nonce that is new each time', async () => {
  const replies = await Promise.all([page('/'), page('/')]);
  const nonces = replies.map(({ response, html }) => {
    const policy = response.headers.get('content-security-policy') ?? '';
    const nonce = policy.match(/style-src 'self' 'nonce-([^']+)'/)?.[1] ?? 'none';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(html).toContain(`content="${nonce}"`);
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test('the page names no other host', async () => {
  const { html } = await page('/');
  expect(html).not.toMatch(/https?:\/\//);
});

test('files are kept for ever, found again by their tag, and packed for who takes it', async () => {
  const { html } = await page('/');
  for (const [ending, type] of [
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
    ['svg', 'image/svg+xml'],
  ] as const) {
    const path = asset(html, ending);
    const plain = await app.fetch(path);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, type]);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const bytes = await plain.bytes();
    const packed = await app.fetch(path, { headers: { 'accept-encoding': 'gzip, deflate' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await packed.bytes())).toEqual(Buffer.from(bytes));
    const tag = plain.headers.get('etag') ?? '';
    const again = await app.fetch(path, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
});

test('a file that is not there is a JSON error, the page itself is no file', async () => {
  for (const name of ['main-00000000.js', 'index.html', '..%2f..%2fpackage.json']) {
    const response = await app.fetch(`/assets/${name}`);
    expect([name, response.status]).toEqual([name, 404]);
    expect(await response.json()).toHaveProperty('error');
  }
});

test('what is embedded in brotli is given as it is, and unpacked for who can not read it', async () => {
  const text = 'export const answer = 42;'.repeat(100);
  const stored = { name: 'a.js', type: 'text/javascript', bytes: brotliCompressSync(text), brotli: true };
  const found = await createAssets(async () => [stored]).find('a.js');
  if (found === null) throw new Error('not found');
  const read = (accepted: string): [string, string] => {
    const request = new Request('http://localhost/', { headers: { 'accept-encoding': accepted } });
    const { bytes, coding } = encodeFor(request, found);
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (given: Uint8Array) => given };
    return [coding, new TextDecoder().decode(unpack[coding](bytes))];
  };
  expect(read('gzip, deflate, br')).toEqual(['br', text]);
  expect(read('gzip, br;q=0')).toEqual(['gzip', text]);
  expect(read('')).toEqual(['identity', text]);
});
