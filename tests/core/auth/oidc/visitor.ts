import type { TestApp } from '../../../helpers/app.ts';

/** A sign-in that has begun: where to send the browser, and the cookie that it keeps. */
export type Browser = { readonly cookie: string; readonly url: string };

/** A browser on the sign-in page of a test app. */
export type Visitor = {
  /** The reply to the start of a sign-in. */
  ask(provider: string): Promise<Response>;
  begin(provider: string): Promise<Browser>;
  comeBack(provider: string, browser: Browser, back: URL): Promise<Response>;
  /** The whole sign-in; `visit` stands for the provider's pages. */
  signIn(provider: string, visit: (url: string) => Promise<URL>): Promise<Response>;
  /** The reason on the sign-in page; `none` for another address. */
  reasonOf(reply: Response): string;
  /** The session cookie; empty without one. */
  sessionOf(reply: Response): string;
  me(reply: Response): Promise<{ user: { id: string; email: string }; memberships: unknown[] }>;
};

const cookieOf = (reply: Response, name: string): string =>
  reply.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

/** @param base the public address of the app */
export function openVisitor(world: () => TestApp, base: string): Visitor {
  const ask: Visitor['ask'] = (provider) =>
    world().fetch('/v1/auth/sign-in/social', { json: { provider }, headers: { Origin: base } });
  const begin: Visitor['begin'] = async (provider) => {
    const reply = await ask(provider);
    if (!reply.ok) throw new Error(await reply.text());
    return {
      url: ((await reply.json()) as { url: string }).url,
      cookie: cookieOf(reply, 'spanledger_oauth'),
    };
  };
  const comeBack: Visitor['comeBack'] = (provider, { cookie }, back) => {
    if (!back.href.startsWith(`${base}/`)) throw new Error(`the browser is at ${back.href}`);
    return world().fetch(`/v1/auth/callback/${provider}${back.search}`, { headers: { Cookie: cookie } });
  };
  return {
    ask,
    begin,
    comeBack,
    signIn: async (provider, visit) => {
      const browser = await begin(provider);
      return comeBack(provider, browser, await visit(browser.url));
    },
    reasonOf: (reply) =>
      decodeURIComponent(/^\/sign-in#error=(.+)$/.exec(reply.headers.get('Location') ?? '')?.[1] ?? 'none'),
    sessionOf: (reply) => cookieOf(reply, 'spanledger_session'),
    me: async (reply) => {
      const answer = await world().fetch('/v1/auth/me', {
        headers: { Cookie: cookieOf(reply, 'spanledger_session') },
      });
      return (await answer.json()) as Awaited<ReturnType<Visitor['me']>>;
    },
  };
}
