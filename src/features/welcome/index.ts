import { defineRoute, type Route } from '../../http/route.ts';
import type { Module } from '../../module.ts';
import home from './home.html' with { type: 'text' };
import setupScript from './setup.client.js' with { type: 'text' };
import setup from './setup.html' with { type: 'text' };
import style from './style.css' with { type: 'text' };

/** Nothing but the page's own files runs or is loaded, and no other site may frame it. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

function serveText(path: string, type: string, text: unknown, summary: string): Route {
  const headers = { ...SECURITY_HEADERS, 'Content-Type': `${type}; charset=utf-8` };
  return defineRoute({
    method: 'GET',
    path,
    auth: 'none',
    summary,
    handler: () => new Response(String(text), { headers }),
  });
}

/** The pages of a ledger: where it is, and its first-run set-up. */
export const welcomeModule: Module = {
  name: 'welcome',
  routes: [
    serveText('/', 'text/html', home, 'The home page'),
    serveText('/setup', 'text/html', setup, 'The page behind the one-time set-up link'),
    serveText('/welcome/style.css', 'text/css', style, "The pages' style"),
    serveText('/welcome/setup.js', 'text/javascript', setupScript, "The set-up page's script"),
  ],
};
