import { join } from 'node:path';

/** How the provider behaves; unset is as it should be. */
export type ProviderSettings = {
  /** Claims of people by login. */
  readonly people?: Readonly<Record<string, object>>;
  /** Puts the claims into the ID token instead of the userinfo endpoint. */
  readonly claimsInIdToken?: boolean;
  /** Replaces claims of ID tokens, with a valid signature; null removes one. */
  readonly alter?: Readonly<Record<string, unknown>>;
  /** Signs ID tokens by a key that is not published. */
  readonly foreignKey?: boolean;
  /** Sets the provider's clock ahead or back. */
  readonly clockOffsetMs?: number;
  /** Replies to everything with this status. */
  readonly status?: number;
};

export type TestProvider = {
  readonly issuer: string;
  /** Replaces the settings. */
  set(settings: ProviderSettings): Promise<void>;
  /** Replaces the signing key and keeps the settings. */
  rotate(): Promise<void>;
  /** A browser at the provider's pages that signs in and consents: the address to which it is sent back. */
  signIn(url: string, login: string): Promise<URL>;
  /** A browser that cancels instead. */
  cancel(url: string): Promise<URL>;
  close(): Promise<void>;
};

export const CLIENT = { clientId: 'ledger', clientSecret: 'canary-oidc-secret' };

/**
 * Starts oidc-provider in a process of its own.
 * @param base addresses of the servers that may sign people in, such as http://ledger.test
 * @param id the provider's id in their settings
 */
export async function startProvider(base: readonly string[], id: string): Promise<TestProvider> {
  const client = {
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    redirect_uris: base.map((url) => `${url}/v1/auth/callback/${id}`),
    post_logout_redirect_uris: base.map((url) => `${url}/sign-in`),
  };
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'provider-process.ts'), JSON.stringify(client)],
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    },
  );
  const lines = readLines(child.stdout);
  const issuer = await lines();
  let settings: ProviderSettings = {};
  const send = async (change: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify(change)}\n`);
    await child.stdin.flush();
    await lines();
  };
  return {
    issuer,
    set: (given) => {
      settings = given;
      return send(settings);
    },
    rotate: () => send({ ...settings, rotate: true }),
    signIn: async (url, login) => {
      const browser = openBrowser(issuer);
      const at = await browser.post(await browser.visit(url), { prompt: 'login', login, password: 'x' });
      return at.href.startsWith(issuer) ? browser.post(at, { prompt: 'consent' }) : at;
    },
    cancel: async (url) => {
      const browser = openBrowser(issuer);
      const page = await browser.visit(url);
      return browser.visit(`${page.href}/abort`);
    },
    close: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Returns the next line at each call. */
function readLines(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return async () => {
    for (;;) {
      const end = text.indexOf('\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return line;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('the provider has ended');
      text += decoder.decode(value, { stream: true });
    }
  };
}

type Browser = {
  /** Follows redirects within the provider; returns the page, or the first address elsewhere. */
  visit(url: string): Promise<URL>;
  post(page: URL, fields: Record<string, string>): Promise<URL>;
};

function openBrowser(origin: string): Browser {
  const jar = new Map<string, string>();
  const go = async (url: string, init: RequestInit = {}): Promise<URL> => {
    if (!url.startsWith(origin)) return new URL(url);
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, { ...init, headers: { Cookie }, redirect: 'manual' });
    for (const cookie of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    const next = reply.headers.get('Location');
    await reply.body?.cancel();
    if (next === null && !reply.ok) throw new Error(`the provider replies ${reply.status} at ${url}`);
    return next === null ? new URL(url) : go(new URL(next, url).href);
  };
  return {
    visit: (url) => go(url),
    post: (page, fields) => go(page.href, { method: 'POST', body: new URLSearchParams(fields) }),
  };
}
