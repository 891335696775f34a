import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Config, ConfigError } from '../../../config.ts';
import { displayName } from '../../orgs/contract.ts';
import { providerId } from '../contract.ts';
import { mailDomain } from '../domains/contract.ts';

/** An OpenID Connect issuer that the operator configured. */
export type Issuer = {
  /** In addresses of this server, such as `/v1/auth/callback/keycloak`. */
  readonly id: string;
  /** For people: the text of its button. */
  readonly name: string;
  /** Identifier as its discovery document states it, without a query (OpenID Connect Discovery, 3). */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Domains of the addresses that the issuer may vouch for; empty for all. */
  readonly domains: readonly string[];
  /** Whether these addresses count as confirmed if the issuer does not send `email_verified`. */
  readonly assumeVerified: boolean;
  /** Whether signing out here also signs out at the issuer, if it supports that. */
  readonly logout: boolean;
};

const isLoopback = ({ hostname }: URL): boolean => /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname);
/** Issuers of these addresses stand for many tenants, each of which decides which email addresses its people have. */
const isShared = ({ hostname, pathname }: URL): boolean =>
  hostname === 'login.microsoftonline.com' && /^\/(common|organizations|consumers)\b/.test(pathname);

const issuerUrl = z
  .url({ protocol: /^https?$/, error: 'has to be a URL such as https://id.example.com' })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || isLoopback(url), 'has to begin with https://')
  .refine(({ search, hash, username }) => search + hash + username === '', 'has no query, fragment or user')
  .refine((url) => !url.pathname.includes('/.well-known/'), 'ends before /.well-known/')
  .refine(
    (url) => !isShared(url),
    "has to name your tenant, not Microsoft's common, organizations or consumers",
  )
  .transform((url) => url.href);

const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'is not a scope');

const entry = z
  .strictObject({
    id: providerId.refine(
      (id) => !['github', 'google', 'credential'].includes(id),
      'is taken; choose another',
    ),
    name: displayName.max(32),
    issuer: issuerUrl,
    clientId: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
    clientSecretFile: z.string().min(1).optional(),
    scopes: z.array(scope).max(20).default(['email', 'profile']),
    domains: z.array(mailDomain).max(100).default([]),
    assumeVerified: z.boolean().default(false),
    logout: z.boolean().default(true),
  })
  .refine(
    ({ clientSecret, clientSecretFile }) => (clientSecret === undefined) !== (clientSecretFile === undefined),
    'needs clientSecret or clientSecretFile',
  )
  .refine(
    ({ assumeVerified, domains }) => !assumeVerified || domains.length > 0,
    'assumeVerified needs domains',
  );

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;
const list = z
  .array(entry)
  .max(20)
  .refine((all) => isUnique(all.map(({ id }) => id)), 'two issuers have the same id')
  .refine((all) => isUnique(all.map(({ issuer }) => issuer)), 'two entries have the same issuer');

/**
 * Reads the issuers from `OIDC_ISSUERS` or the file that `OIDC_ISSUERS_FILE` names, and their secrets from files.
 * @throws {ConfigError} that names the entry and field, but no value
 */
export function readIssuers({ OIDC_ISSUERS, OIDC_ISSUERS_FILE }: Config): Issuer[] {
  if (OIDC_ISSUERS !== undefined && OIDC_ISSUERS_FILE !== undefined) {
    throw wrong('OIDC_ISSUERS', 'OIDC_ISSUERS and OIDC_ISSUERS_FILE are both set', 'Set one of them');
  }
  const key = OIDC_ISSUERS === undefined ? 'OIDC_ISSUERS_FILE' : 'OIDC_ISSUERS';
  const text = OIDC_ISSUERS_FILE === undefined ? OIDC_ISSUERS : readText(key, OIDC_ISSUERS_FILE);
  if (text === undefined) return [];
  const given = parseJson(key, text);
  const parsed = list.safeParse(given);
  if (!parsed.success) throw wrong(key, `${key}: ${describe(given, parsed.error.issues[0])}`, FIX);
  return parsed.data.map(({ clientSecret, clientSecretFile, ...issuer }) => ({
    ...issuer,
    scopes: [...new Set(['openid', ...issuer.scopes])],
    clientSecret: clientSecret ?? readText(key, clientSecretFile ?? ''),
  }));
}

const FIX = 'Correct it as the README describes under "Single sign-on"';
const wrong = (key: string, what: string, fix: string): ConfigError => new ConfigError(key, what, fix);

function readText(key: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw wrong(key, `${key}: cannot read ${path}`, 'Name a file that the server can read');
  }
}

/** The parser's message would quote the text, which contains secrets. */
function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(key, `${key} is not JSON`, FIX);
  }
}

/** The entry's place and id, the field and the problem. */
function describe(given: unknown, issue: z.core.$ZodIssue | undefined): string {
  const [at, ...fields] = issue?.path ?? [];
  const problem = issue?.message ?? 'not valid';
  if (typeof at !== 'number' || !Array.isArray(given)) return problem;
  const id: unknown = (given[at] as { id?: unknown } | null)?.id;
  const name = typeof id === 'string' ? ` (${id.slice(0, 40)})` : '';
  return `entry ${at + 1}${name}${fields.length === 0 ? '' : `, ${fields.join('.')}`}: ${problem}`;
}
