// An OpenID provider in a process of its own: prints its port, then takes its settings as lines of JSON on stdin, and
// prints `ok` for each. The account of a person is the login that they type into its page.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import type { ProviderSettings } from './provider.ts';

const [client = ''] = process.argv.slice(2);
let settings: ProviderSettings = {};
let handle: ReturnType<Provider['callback']>;
let keys: JWK[] = [];

const systemTime = Date.now;
Date.now = () => systemTime() + (settings.clockOffsetMs ?? 0);

const newKey = async (): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
};

const open = (): void => {
  const provider = new Provider(issuer, {
    clients: [JSON.parse(client)],
    jwks: { keys },
    conformIdTokenClaims: settings.claimsInIdToken !== true,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['test'] },
    ttl: {
      AuthorizationCode: 60,
      AccessToken: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: (_ctx, login) => ({
      accountId: login,
      claims: async () => ({ sub: login, ...settings.people?.[login] }),
    }),
  });
  handle = provider.callback();
};

/** Signs the ID token of a reply again, with other claims or by a key that the provider does not publish. */
const forge = async (body: string): Promise<string> => {
  const { alter = {}, foreignKey = false } = settings;
  const reply = JSON.parse(body) as { id_token?: string };
  const [own] = keys;
  const key = foreignKey && own?.kid !== undefined ? { ...(await newKey()), kid: own.kid } : own;
  if (reply.id_token === undefined || key === undefined) return body;
  const changed = Object.entries({ ...decodeJwt(reply.id_token), ...alter });
  const claims: JWTPayload = Object.fromEntries(changed.filter(([, value]) => value !== null));
  const header = { alg: 'RS256', kid: key.kid ?? '' };
  const id_token = await new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, 'RS256'));
  return JSON.stringify({ ...reply, id_token });
};

const server = createServer((request, response) => {
  if (settings.status !== undefined) return void response.writeHead(settings.status).end('<html>');
  if (request.url === '/token') {
    const end = response.end.bind(response);
    response.end = ((body: Buffer | string) => {
      void forge(String(body)).then((text) => {
        response.setHeader('Content-Length', Buffer.byteLength(text));
        end(text);
      });
      return response;
    }) as typeof response.end;
  }
  void handle(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
keys = [await newKey()];
open();
console.log(issuer);

for await (const line of createInterface({ input: process.stdin })) {
  const { rotate, ...rest } = JSON.parse(line) as ProviderSettings & { rotate?: true };
  settings = rest;
  if (rotate) keys = [await newKey()];
  open();
  console.log('ok');
}
process.exit(0);
