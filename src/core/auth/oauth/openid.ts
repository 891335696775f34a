import * as client from 'openid-client';

/*
 * All code that uses openid-client. It is loaded by the first sign-in; in the binary it is compressed until then
 * (`build.ts`). It imports nothing else of this program, because that would be embedded twice.
 */

/** The discovery document of an issuer. */
export type Metadata = client.ServerMetadata;

/** This server as a client of an issuer. */
export type Party = {
  readonly metadata: Metadata;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly ask: AskIssuer;
  /** Epoch milliseconds; the library itself reads the system's clock. */
  readonly now: number;
};

/** What begins with the browser's redirection to the issuer and must match when it comes back. */
export type Begun = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

/** Claims of the ID token, completed by the userinfo endpoint. */
export type Claims = Record<string, unknown> & { readonly iss: string; readonly sub: string };

const TIMEOUT_SECONDS = 10;
/** Largest accepted difference between the clocks. */
const TOLERANCE_SECONDS = 60;

/** Sends a request to an issuer, within limits of address, time and size. */
export type AskIssuer = (url: string, init: RequestInit) => Promise<Response>;

/** Reads the reply whole, so that one that is too long or breaks off counts as no reply. */
const boundedFetch =
  (ask: AskIssuer): client.CustomFetch =>
  async (url, { body, signal, ...init }) => {
    const reply = await ask(url, {
      ...init,
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    });
    const text = await reply.arrayBuffer();
    const { status, headers } = reply;
    return new Response(text.byteLength === 0 ? null : text, { status, headers });
  };

/** Only an issuer on loopback may have an http address; `issuers.ts` checks that. */
const insecure = (issuer: string): ((config: client.Configuration) => void)[] =>
  issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];

/** Fetches the discovery document. Rejects with an error for `failureOf`. */
export async function discover(issuer: string, ask: AskIssuer): Promise<Metadata> {
  const options = {
    execute: insecure(issuer),
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: boundedFetch(ask),
  };
  const found = await client.discovery(new URL(issuer), 'discovery', undefined, client.None(), options);
  const metadata = found.serverMetadata();
  // The library accepts other issuers for some addresses of Microsoft.
  if (new URL(metadata.issuer).href !== issuer) throw new IssuerMismatch(metadata.issuer);
  return metadata;
}

/** What an issuer publishes. */
export type Inspection = {
  readonly metadata: Metadata;
  /** Number of published keys. */
  readonly keys: number;
  /** The issuer's clock minus this machine's; null if it states no time. */
  readonly clockDifferenceSeconds: number | null;
};

/** Fetches the discovery document and the keys. Rejects with an error for `failureOf`. */
export async function inspect(issuer: string, ask: AskIssuer): Promise<Inspection> {
  const metadata = await discover(issuer, ask);
  if (metadata.jwks_uri === undefined) return { metadata, keys: 0, clockDifferenceSeconds: null };
  const reply = await ask(metadata.jwks_uri, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
  });
  const { keys } = (await reply.json()) as { keys?: unknown };
  const date = Date.parse(reply.headers.get('date') ?? '');
  return {
    metadata,
    keys: Array.isArray(keys) ? keys.length : 0,
    clockDifferenceSeconds: Number.isNaN(date) ? null : Math.round((date - Date.now()) / 1000),
  };
}

/** The discovery document is about another issuer. */
class IssuerMismatch extends Error {}

/**
 * A configuration for one sign-in. The keys of the issuer are thus fetched for each sign-in, so that a rotation takes
 * effect at once.
 */
function configure({ metadata, clientId, clientSecret, ask, now }: Party): client.Configuration {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = methods.includes('client_secret_post') ? client.ClientSecretPost : client.ClientSecretBasic;
  const settings = {
    [client.clockTolerance]: TOLERANCE_SECONDS,
    [client.clockSkew]: Math.round((now - Date.now()) / 1000),
  };
  const config = new client.Configuration(metadata, clientId, settings, method(clientSecret));
  config.timeout = TIMEOUT_SECONDS;
  config[client.customFetch] = boundedFetch(ask);
  // Without this the library trusts the connection instead of the signature.
  client.enableNonRepudiationChecks(config);
  for (const extend of insecure(metadata.issuer)) extend(config);
  return config;
}

/** The address to send the browser to. */
export async function authorizationUrl(
  party: Party,
  { state, nonce, codeVerifier }: Begun,
  { redirectUri, scopes }: { redirectUri: string; scopes: readonly string[] },
): Promise<string> {
  const url = client.buildAuthorizationUrl(configure(party), {
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/**
 * Redeems the code with which the browser came back, and checks the ID token: signature, issuer, audience, times, nonce.
 * @param url the address to which the browser came back, with its query
 */
export async function redeem(
  party: Party,
  { state, nonce, codeVerifier }: Begun,
  url: string,
): Promise<{ claims: Claims; idToken: string }> {
  const config = configure(party);
  const tokens = await client.authorizationCodeGrant(config, new URL(url), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw new Error('there is no ID token');
  // Some issuers, such as Okta, leave the address out of the ID token.
  const more =
    claims.email === undefined && party.metadata.userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      : {};
  return { claims: { ...more, ...claims }, idToken: tokens.id_token };
}

/** The address that ends the person's session at the issuer; null if it has none. */
export function endSessionUrl(
  party: Party,
  { idToken, returnTo }: { idToken: string | null; returnTo: string },
): string | null {
  if (party.metadata.end_session_endpoint === undefined) return null;
  const parameters = {
    post_logout_redirect_uri: returnTo,
    ...(idToken === null ? {} : { id_token_hint: idToken }),
  };
  return client.buildEndSessionUrl(configure(party), parameters).href;
}

/** Why a step failed. `code` is for the log and has no text of the issuer. */
export type Failure = {
  readonly kind:
    | 'unreachable'
    | 'setup'
    | 'denied'
    | 'expired'
    | 'client'
    | 'clock'
    | 'audience'
    | 'forged'
    | 'other';
  readonly code: string;
};

const BY_CLAIM: Readonly<Record<string, Failure['kind']>> = { aud: 'audience', azp: 'audience' };
const BY_OAUTH_ERROR: Readonly<Record<string, Failure['kind']>> = {
  access_denied: 'denied',
  invalid_grant: 'expired',
  invalid_client: 'client',
  unauthorized_client: 'client',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
};

/** Classifies what this module threw. Its errors contain replies of the issuer, tokens included: never log them. */
export function failureOf(error: unknown): Failure {
  if (error instanceof IssuerMismatch) return { kind: 'setup', code: 'issuer_mismatch' };
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) {
    const known = Object.hasOwn(BY_OAUTH_ERROR, error.error);
    return { kind: BY_OAUTH_ERROR[error.error] ?? 'other', code: known ? error.error : 'oauth_error' };
  }
  if (!(error instanceof client.ClientError)) return { kind: 'unreachable', code: codeOfNoReply(error) };
  const { code = codeOfNoReply(error.cause), cause } = error;
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return { kind: 'clock', code };
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    const claim = String((cause as { cause?: { claim?: unknown } }).cause?.claim);
    return { kind: BY_CLAIM[claim] ?? 'forged', code: `${code} ${claim}` };
  }
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') {
    const status = cause instanceof Response ? cause.status : 0;
    return { kind: status >= 500 ? 'unreachable' : 'setup', code: `${code} ${status}` };
  }
  return { kind: BY_CODE[code] ?? 'other', code };
}

/** The outgoing request itself failed. */
function codeOfNoReply(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'unresolved' || code === 'refused' ? 'no_public_address' : 'no_reply';
}

const BY_CODE: Readonly<Record<string, Failure['kind']>> = {
  no_reply: 'unreachable',
  no_public_address: 'unreachable',
  OAUTH_TIMEOUT: 'unreachable',
  OAUTH_ABORT: 'unreachable',
  OAUTH_PARSE_ERROR: 'setup',
  OAUTH_RESPONSE_IS_NOT_JSON: 'setup',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'setup',
  OAUTH_MISSING_SERVER_METADATA: 'setup',
  OAUTH_INVALID_SERVER_METADATA: 'setup',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'setup',
  OAUTH_KEY_SELECTION_FAILED: 'forged',
  OAUTH_INVALID_RESPONSE: 'forged',
};
