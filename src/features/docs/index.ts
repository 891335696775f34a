import { brotliDecompressSync } from 'node:zlib';
import { route } from '../../core/tenancy/index.ts';
import type { Route } from '../../http/route.ts';
import type { Module } from '../../module.ts';
import { docsEndpoint } from './contract.ts';
import page from './docs.html' with { type: 'text' };
import { loadFile } from './load-file.ts';
import { PAGES, renderPage, withLinks } from './pages.ts';
import reference from './reference.css' with { type: 'text' };
import start from './start.client.js' with { type: 'text' };
import style from './text.css' with { type: 'text' };

/** Like the dashboard's headers: only the page's own files run, and only this server is contacted. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

type Content = (request: Request) => Promise<{ body: string | Uint8Array<ArrayBuffer>; coding?: string }>;

function serveFile(path: string, type: string, content: Content): Route {
  return route(docsEndpoint(path), async (_ctx, { request }) => {
    const { body, coding } = await content(request);
    const headers = { ...HEADERS, 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept-Encoding' };
    return new Response(body, {
      headers: coding === undefined ? headers : { ...headers, 'Content-Encoding': coding },
    });
  });
}

const text = (value: unknown): Content => {
  const body = String(value);
  return async () => ({ body });
};

/** A file of Swagger UI, compressed if the client accepts it and the binary contains it compressed. */
const library = (name: string): Content => {
  return async (request) => {
    const { bytes, brotli } = await loadFile(name);
    if (!brotli) return { body: bytes };
    const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(
      request.headers.get('accept-encoding') ?? '',
    );
    return takesBrotli
      ? { body: bytes, coding: 'br' }
      : { body: new Uint8Array(brotliDecompressSync(bytes)) };
  };
};

const documentation = Object.keys(PAGES) as (keyof typeof PAGES)[];

/** `/docs`: the API reference, rendered by Swagger UI from files of this server; the other pages below it. */
export const docsModule: Module = {
  name: 'docs',
  routes: [
    serveFile('/docs', 'text/html', text(withLinks(String(page)))),
    serveFile('/docs/start.js', 'text/javascript', text(start)),
    serveFile('/docs/swagger-ui-bundle.js', 'text/javascript', library('swagger-ui-bundle.js')),
    serveFile('/docs/swagger-ui.css', 'text/css', library('swagger-ui.css')),
    serveFile('/docs/reference.css', 'text/css', text(reference)),
    serveFile('/docs/text.css', 'text/css', text(style)),
    ...documentation.map((name) =>
      serveFile(`/docs/${name}`, 'text/html', async () => ({ body: renderPage(name) })),
    ),
  ],
};
