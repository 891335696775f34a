import type { Config } from '../../../config.ts';
import { createProductOutbound, type Outbound } from '../../outbound/index.ts';
import { askIssuer } from './ask-issuer.ts';
import type { Issuer } from './issuers.ts';
import { failureOf, type Inspection, inspect } from './openid.ts';

/** One thing that a sign-in needs: `failed` prevents it, `warning` may matter. */
export type IssuerCheck = {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
};

/** The result for one issuer. The addresses are to be registered there. */
export type IssuerReport = {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly redirectUri: string;
  readonly postLogoutRedirectUri: string;
  readonly checks: readonly IssuerCheck[];
};

type IssuerConfig = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'OUTBOUND_ALLOW'>;

/** Fetches an issuer's discovery document and keys, and says what is missing. The secret is not sent. */
export async function checkIssuer(
  { PUBLIC_URL, HOST, PORT, OUTBOUND_ALLOW }: IssuerConfig,
  issuer: Issuer,
): Promise<IssuerReport> {
  const base = PUBLIC_URL ?? `http://${HOST}:${PORT}`;
  const address: IssuerCheck =
    PUBLIC_URL === undefined
      ? warning('public address', `${base}; set PUBLIC_URL if browsers use another one`)
      : ok('public address', base);
  return {
    id: issuer.id,
    name: issuer.name,
    issuer: issuer.issuer,
    redirectUri: `${base}/v1/auth/callback/${issuer.id}`,
    postLogoutRedirectUri: `${base}/sign-in`,
    checks: [address, ...(await inspected(issuer, createProductOutbound(OUTBOUND_ALLOW)))],
  };
}

async function inspected(issuer: Issuer, outbound: Outbound): Promise<IssuerCheck[]> {
  try {
    const found = await inspect(issuer.issuer, askIssuer(outbound, issuer.issuer));
    return [ok('discovery', `${issuer.issuer} replies`), ...checksOf(issuer, found)];
  } catch (error) {
    const { code } = failureOf(error);
    return [
      failed('discovery', PROBLEMS[code] ?? `the discovery document or the keys cannot be used (${code})`),
    ];
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  no_reply: 'no reply: check the address, the name service, the certificate and the firewall',
  no_public_address:
    'a host has no public address: check it, or list it in OUTBOUND_ALLOW if it is one of the internal network',
  OAUTH_TIMEOUT: 'no reply within 10 seconds: check the address and the firewall',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    'the document names another issuer: set `issuer` to exactly what it states',
  issuer_mismatch: 'the document names another issuer: set `issuer` to exactly what it states',
  OAUTH_RESPONSE_IS_NOT_JSON: 'the reply is no JSON: check the address',
  'OAUTH_RESPONSE_IS_NOT_CONFORM 404':
    'there is no /.well-known/openid-configuration below the address (404)',
};

/** Algorithms by a key pair; others would need a shared secret or prove nothing. */
const SIGNED = /^(RS|PS|ES)(256|384|512)$|^Ed(DSA|25519)$/;
const MAX_CLOCK_DIFFERENCE_SECONDS = 30;

const checksOf = (issuer: Issuer, found: Inspection): IssuerCheck[] => [
  ...protocolChecks(found),
  ...personChecks(issuer, found),
  clockCheck(found),
  ok(
    'sign-out at the issuer',
    found.metadata.end_session_endpoint === undefined ? 'not supported' : 'supported',
  ),
];

function protocolChecks({ metadata, keys }: Inspection): IssuerCheck[] {
  const algorithms = (metadata.id_token_signing_alg_values_supported ?? ['RS256']).filter((one) =>
    SIGNED.test(one),
  );
  const pkce = metadata.code_challenge_methods_supported;
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  const absent = endpoints.filter((name) => metadata[name] === undefined);
  return [
    absent.length === 0
      ? ok('endpoints', endpoints.join(', '))
      : failed('endpoints', `missing: ${absent.join(', ')}`),
    keys > 0 ? ok('signing keys', String(keys)) : failed('signing keys', 'none at jwks_uri'),
    algorithms.length > 0
      ? ok('signatures', algorithms.join(', '))
      : failed('signatures', 'ID tokens are not signed by a key pair; choose RS256 or ES256 at the issuer'),
    pkce === undefined || pkce.includes('S256')
      ? ok('PKCE', pkce === undefined ? 'not announced; used anyway' : 'S256')
      : failed('PKCE', 'the issuer supports only methods other than S256'),
  ];
}

function personChecks({ domains, assumeVerified }: Issuer, { metadata }: Inspection): IssuerCheck[] {
  const claims = metadata.claims_supported;
  return [
    metadata.scopes_supported?.includes('email') === false
      ? warning('email', 'the scope email is not announced; people without an address cannot sign in')
      : ok('email', 'the scope email is available'),
    claims?.includes('email_verified') === false && !assumeVerified
      ? warning(
          'confirmed addresses',
          'email_verified is not announced; you may need domains and assumeVerified',
        )
      : ok('confirmed addresses', assumeVerified ? domains.join(', ') : 'email_verified'),
  ];
}

function clockCheck({ clockDifferenceSeconds: seconds }: Inspection): IssuerCheck {
  if (seconds === null) return warning('clock', 'the issuer states no time');
  const detail = `${seconds} s from the issuer's`;
  return Math.abs(seconds) > MAX_CLOCK_DIFFERENCE_SECONDS ? failed('clock', detail) : ok('clock', detail);
}

const ok = (name: string, detail: string): IssuerCheck => ({ name, state: 'ok', detail });
const warning = (name: string, detail: string): IssuerCheck => ({ name, state: 'warning', detail });
const failed = (name: string, detail: string): IssuerCheck => ({ name, state: 'failed', detail });
