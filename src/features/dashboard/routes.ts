import { randomBytes } from 'node:crypto';
import { route } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';
import type { Route } from '../../http/route.ts';
import { assetEndpoint, pageEndpoint } from './contract.ts';
import { createAssets, encodeFor } from './serve-asset.ts';

const assets = createAssets();

/** Paths under which the page is found; what is shown there, the page itself works out. */
const PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/link',
  '/invite',
  '/account',
  '/account/security',
  '/system',
  '/projects/*',
];

const COMMON_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Only the page's own files run, no other site may frame it or be called from it. Styles that the page
 * makes while it runs carry the nonce of this reply.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const page = async (): Promise<Response> => {
  const found = await assets.find('index.html');
  if (found === null) throw notFound('This build has no dashboard');
  const nonce = randomBytes(16).toString('base64');
  const html = new TextDecoder().decode(found.asset.bytes).replace('{{nonce}}', nonce);
  return new Response(html, {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': found.asset.type,
      'Content-Security-Policy': policy(nonce),
    },
  });
};

const pageRoutes: Route[] = PAGES.map((path) => route(pageEndpoint(path), page));

/** The name holds a hash of the content, so it never changes under its name. */
const assetRoute = route(assetEndpoint, async (_ctx, { params, request }) => {
  const found = params.name === 'index.html' ? null : await assets.find(params.name);
  if (found === null) throw notFound('The dashboard has no such file; reload the page');
  const etag = `"${params.name}"`;
  const headers = {
    ...COMMON_HEADERS,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  const { bytes, coding } = encodeFor(request, found);
  return new Response(bytes, {
    headers: {
      ...headers,
      'Content-Type': found.asset.type,
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    },
  });
});

export const dashboardRoutes: readonly Route[] = [...pageRoutes, assetRoute];
