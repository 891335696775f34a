import { createHash } from 'node:crypto';

/** Who signs in at the provider. */
export type ProviderPerson = {
  readonly id: string | number;
  readonly email: string | null;
  readonly verified: boolean;
  readonly name?: string;
};

export type IdentityProvider = {
  /** The person who is signed in at the provider. */
  person: ProviderPerson;
  /** How the provider behaves. */
  mood: 'well' | 'refusing' | 'broken' | 'redirecting';
  /** Requests from the server, as host and path. */
  readonly asked: string[];
  /** A browser at the provider's page: gives the query with which it is sent back. */
  visit(url: string): URLSearchParams;
  close(): void;
};

export const OAUTH_ENV = {
  GITHUB_CLIENT_ID: 'github-client',
  GITHUB_CLIENT_SECRET: 'canary-github-secret',
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_CLIENT_SECRET: 'canary-google-secret',
};
/** What the provider hands out and nobody else is to keep. */
export const ACCESS_TOKEN = 'canary-access-token';

const HOSTS = ['github.com', 'api.github.com', 'oauth2.googleapis.com'];

/**
 * GitHub and Google on loopback. Requests to their addresses are led here by way of `globalThis.fetch`, and
 * any other address that is not this machine's fails the test: the product itself has no setting for it.
 */
export function openIdentityProvider(): IdentityProvider {
  const challenges = new Map<string, string>();
  const real = globalThis.fetch;
  const provider: IdentityProvider = {
    person: { id: 1, email: 'grace@example.com', verified: true, name: 'Grace' },
    mood: 'well',
    asked: [],
    visit: (url) => {
      const { searchParams: given, host, pathname } = new URL(url);
      provider.asked.push(`${host}${pathname}`);
      const code = crypto.randomUUID();
      challenges.set(code, `${given.get('code_challenge_method')} ${given.get('code_challenge')}`);
      return new URLSearchParams({ code, state: given.get('state') ?? '' });
    },
    close: () => {
      globalThis.fetch = real;
      void server.stop(true);
    },
  };

  /** A code is good once, and only for who holds the verifier of its challenge (RFC 7636, 4.6). */
  const isRight = (form: URLSearchParams): boolean => {
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = form.get('code') ?? '';
    const right = challenges.get(code) === `S256 ${challenge}`;
    challenges.delete(code);
    const secrets = [OAUTH_ENV.GITHUB_CLIENT_SECRET, OAUTH_ENV.GOOGLE_CLIENT_SECRET];
    return right && secrets.includes(form.get('client_secret') ?? '');
  };

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      provider.asked.push(path.slice(1));
      const { id, email, verified, name } = provider.person;
      if (provider.mood === 'broken') return new Response('<html>', { status: 502 });
      if (provider.mood === 'redirecting')
        return Response.redirect('http://169.254.169.254/latest/meta-data');
      if (path.endsWith('/user')) return Response.json({ id, login: 'grace', name, email });
      if (path.endsWith('/user/emails')) return Response.json([{ email, primary: true, verified }]);
      if (provider.mood === 'refusing' || !isRight(new URLSearchParams(await request.text())))
        return Response.json({ error: 'bad_verification_code' }, { status: 400 });
      const claims = { sub: String(id), email, email_verified: verified, name };
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return Response.json({
        access_token: ACCESS_TOKEN,
        token_type: 'bearer',
        id_token: `${part({ alg: 'RS256' })}.${part(claims)}.x`,
      });
    },
  });

  const led = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === '127.0.0.1') return real(input, init);
    if (!HOSTS.includes(url.host)) throw new Error(`the server asked ${url.host}`);
    const here = `http://127.0.0.1:${server.port}/${url.host}${url.pathname}`;
    return input instanceof Request ? real(new Request(here, input), init) : real(here, init);
  };
  globalThis.fetch = Object.assign(led, { preconnect: real.preconnect });
  return provider;
}
