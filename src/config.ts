import { z } from 'zod';
import { AppError } from './errors.ts';
import { nearest } from './lib/nearest.ts';
import {
  databaseUrl,
  destinations,
  fetchedUrl,
  integer,
  mailFrom,
  proxies,
  publicKeys,
  publicUrl,
  smtpUrl,
  text,
} from './lib/setting-types.ts';

/** Raw text by key, from the process, an env file or the command line. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of this process. Nothing else in the product reads it. */
export const readEnv = (): Env => process.env;

const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

interface Setting {
  /** Parses the raw text. */
  readonly type: z.ZodType;
  /** The accepted values, worded for an error message: "Set PORT to …". */
  readonly expects: string;
  /** Raw text if no source sets a value; undefined leaves the setting unset. */
  readonly default: string | undefined;
  /** Never printed, not even in an error. */
  readonly secret: boolean;
  readonly doc: string;
}

/** Every setting of the product. The key is the name of the environment variable. */
export const SETTINGS = {
  DATABASE_URL: {
    type: databaseUrl,
    expects: 'a path or file:PATH',
    default: 'file:./spanledger.db',
    secret: false,
    doc: 'Database file',
  },
  HOST: {
    type: z.string().min(1).regex(/^\S+$/),
    expects: 'an address to listen on, such as 127.0.0.1 or 0.0.0.0',
    default: '127.0.0.1',
    secret: false,
    doc: 'Address to listen on',
  },
  PORT: {
    type: integer(0, 65_535),
    expects: 'a whole number from 0 to 65535 (0 picks a free port)',
    default: '4318',
    secret: false,
    doc: 'Port to listen on',
  },
  BETTER_AUTH_SECRET: {
    type: z.string().min(32).optional(),
    expects: 'at least 32 random characters (openssl rand -hex 32)',
    default: undefined,
    secret: true,
    doc: 'Signs login sessions; a change signs everybody out',
  },
  SESSION_TTL_SECONDS: {
    type: integer(60, 31_536_000),
    expects: 'a whole number of seconds from 60 to 31536000',
    default: '604800',
    secret: false,
    doc: 'Lifetime of a login session, in seconds',
  },
  SESSION_IDLE_SECONDS: {
    type: integer(0, 31_536_000),
    expects: 'a whole number of seconds from 0 to 31536000 (0 turns it off)',
    default: '0',
    secret: false,
    doc: 'End of a login session after that many seconds without a request; 0: never',
  },
  API_KEY_CACHE_TTL_SECONDS: {
    type: integer(0, 3600),
    expects: 'a whole number of seconds from 0 to 3600',
    default: '60',
    secret: false,
    doc: 'How long another server may still accept a revoked key, in seconds',
  },
  DEFAULT_PLAN: {
    type: z.enum(['free', 'pro', 'scale']),
    expects: 'one of free, pro, scale',
    default: 'free',
    secret: false,
    doc: 'Plan of a new organization',
  },
  SIGNUP: {
    type: z.enum(['closed', 'invitation', 'open']),
    expects: 'closed, invitation or open',
    default: 'invitation',
    secret: false,
    doc: 'Who may create an account: nobody (closed), invited people, anybody (open)',
  },
  PUBLIC_URL: {
    type: publicUrl.optional(),
    expects: 'an http or https URL, such as https://ledger.example.com',
    default: undefined,
    secret: false,
    doc: 'Public address of the server, for links, cookies and sign-in providers',
  },
  SMTP_URL: {
    type: smtpUrl.optional(),
    expects: 'a mail server, such as smtps://user:password@mail.example.com',
    default: undefined,
    secret: true,
    doc: 'Mail server for links and notifications',
  },
  MAIL_FROM: {
    type: mailFrom.optional(),
    expects: 'a sender, such as Ledger <ledger@example.com>',
    default: undefined,
    secret: false,
    doc: 'Sender of mails',
  },
  GITHUB_CLIENT_ID: {
    type: text.optional(),
    expects: 'the client id of a GitHub OAuth app',
    default: undefined,
    secret: false,
    doc: 'Client id for sign-in with GitHub',
  },
  GITHUB_CLIENT_SECRET: {
    type: text.optional(),
    expects: 'the client secret of a GitHub OAuth app',
    default: undefined,
    secret: true,
    doc: 'Client secret for sign-in with GitHub',
  },
  GOOGLE_CLIENT_ID: {
    type: text.optional(),
    expects: 'the client id of a Google OAuth client',
    default: undefined,
    secret: false,
    doc: 'Client id for sign-in with Google',
  },
  GOOGLE_CLIENT_SECRET: {
    type: text.optional(),
    expects: 'the client secret of a Google OAuth client',
    default: undefined,
    secret: true,
    doc: 'Client secret for sign-in with Google',
  },
  OIDC_ISSUERS: {
    type: text.optional(),
    expects: 'a JSON list of issuers',
    default: undefined,
    secret: true,
    doc: 'OpenID Connect issuers for single sign-on, as JSON',
  },
  OIDC_ISSUERS_FILE: {
    type: text.optional(),
    expects: 'the path of a JSON file',
    default: undefined,
    secret: false,
    doc: 'File with the OpenID Connect issuers',
  },
  CONNECTORS: {
    type: text.optional(),
    expects: 'a JSON list of connectors',
    default: undefined,
    secret: true,
    doc: "Connectors to the providers' own figures, as JSON",
  },
  CONNECTORS_FILE: {
    type: text.optional(),
    expects: 'the path of a JSON file',
    default: undefined,
    secret: false,
    doc: 'File with the connectors',
  },
  SPANLEDGER_INIT_ORG: {
    type: text.optional(),
    expects: 'a name of at most 200 characters',
    default: undefined,
    secret: false,
    doc: 'First organization, for a file without an owner',
  },
  SPANLEDGER_INIT_PROJECT: {
    type: text.optional(),
    expects: 'a name of at most 200 characters',
    default: undefined,
    secret: false,
    doc: 'First project',
  },
  SPANLEDGER_INIT_EMAIL: {
    type: text.optional(),
    expects: 'an e-mail address',
    default: undefined,
    secret: false,
    doc: 'E-mail address of the owner',
  },
  SPANLEDGER_INIT_PASSWORD: {
    type: text.optional(),
    expects: 'at least 8 characters',
    default: undefined,
    secret: true,
    doc: 'Password of the owner',
  },
  SPANLEDGER_INIT_PASSWORD_FILE: {
    type: text.optional(),
    expects: 'the path of a file',
    default: undefined,
    secret: false,
    doc: 'File with the password of the owner',
  },
  SPANLEDGER_INIT_API_KEY: {
    type: text.optional(),
    expects: 'slk_ and 64 lower-case hex digits',
    default: undefined,
    secret: true,
    doc: 'First API key of the project',
  },
  SPANLEDGER_INIT_API_KEY_FILE: {
    type: text.optional(),
    expects: 'the path of a file',
    default: undefined,
    secret: false,
    doc: 'File with the first API key',
  },
  TRUSTED_PROXIES: {
    type: proxies.optional(),
    expects: 'addresses and subnets with commas between, such as 10.0.0.0/8,::1',
    default: undefined,
    secret: false,
    doc: 'Proxies whose X-Forwarded-For is trusted',
  },
  OUTBOUND_ALLOW: {
    type: destinations.optional(),
    expects: 'addresses, subnets and host names with commas between, such as 10.1.0.0/16,hooks.internal',
    default: undefined,
    secret: false,
    doc: 'Hosts of the internal network to which webhooks and other requests may go',
  },
  REDIS_URL: {
    type: z.url({ protocol: /^(redis|rediss|redis\+unix)$/ }).optional(),
    expects: 'a Redis URL, such as redis://127.0.0.1:6379',
    default: undefined,
    secret: true,
    doc: 'Redis in which several servers share their rate limits',
  },
  REDIS_FALLBACK: {
    type: z.enum(['local', 'refuse']),
    expects: 'local or refuse',
    default: 'local',
    secret: false,
    doc: 'Without Redis, each server counts for itself (local) or replies 503 (refuse)',
  },
  PRICE_PACK_KEYS: {
    type: publicKeys.optional(),
    expects: 'public keys as `spanledger prices pack keygen` prints them, with commas between',
    default: undefined,
    secret: false,
    doc: 'Ed25519 public keys whose price packs are trusted',
  },
  PRICE_PACK_URL: {
    type: fetchedUrl.optional(),
    expects: 'the https address of a signed price pack',
    default: undefined,
    secret: false,
    doc: 'Price pack to check for each night; unset: no check',
  },
  LOG_LEVEL: {
    type: logLevel,
    expects: `one of ${logLevel.options.join(', ')}`,
    default: 'info',
    secret: false,
    doc: 'Lowest level that is logged',
  },
} as const satisfies Record<string, Setting>;

export type ConfigKey = keyof typeof SETTINGS;
/** Parsed settings by key; an unset optional setting is undefined. */
export type Config = { readonly [K in ConfigKey]: z.output<(typeof SETTINGS)[K]['type']> };
/** Sources of a setting, highest precedence first. */
export type ConfigSource = 'flag' | 'environment' | 'env file' | 'default';

export interface LoadedConfig {
  readonly values: Config;
  readonly sources: Readonly<Record<ConfigKey, ConfigSource>>;
}

/** An invalid setting. `what` describes the problem, `fix` the remedy; neither contains a secret. */
export class ConfigError extends AppError {
  readonly key: string;
  readonly what: string;
  readonly fix: string;

  constructor(key: string, what: string, fix: string) {
    super(400, `${what}. ${fix}`);
    this.key = key;
    this.what = what;
    this.fix = fix;
  }
}

interface ConfigInputs {
  /** By key, from the command line. */
  readonly flags?: Env;
  /** The process environment; keys that are not settings are ignored. */
  readonly env?: Env;
  /** From `--env-file`; keys that are not settings are refused. */
  readonly fileEnv?: Env;
}

const keys = Object.keys(SETTINGS) as ConfigKey[];

/**
 * Parses every setting once. Precedence: flag, environment, env file, default. An empty variable counts as unset;
 * an empty flag is an error.
 * @throws {ConfigError} for an unknown flag or env-file key, and for an invalid value.
 */
export const loadConfig = (inputs: ConfigInputs = {}): LoadedConfig => {
  refuseUnknown(inputs.flags ?? {}, 'flags');
  refuseUnknown(inputs.fileEnv ?? {}, 'env file');
  const parsed = keys.map((key) => {
    const found = findRaw(key, inputs);
    return { key, source: found.source, value: parseSetting(key, found) };
  });
  refuseHalves(new Map(parsed.map(({ key, value }) => [key, value])));
  // Each key has its own type in the table; Object.fromEntries cannot express that.
  return {
    values: Object.fromEntries(parsed.map(({ key, value }) => [key, value])) as unknown as Config,
    sources: Object.fromEntries(parsed.map(({ key, source }) => [key, source])) as LoadedConfig['sources'],
  };
};

interface FoundValue {
  readonly raw: string | undefined;
  readonly source: ConfigSource;
}

const findRaw = (key: ConfigKey, { flags, env, fileEnv }: ConfigInputs): FoundValue => {
  const flag = flags?.[key];
  if (flag !== undefined) return { raw: flag, source: 'flag' };
  if (env?.[key]) return { raw: env[key], source: 'environment' };
  if (fileEnv?.[key]) return { raw: fileEnv[key], source: 'env file' };
  return { raw: SETTINGS[key].default, source: 'default' };
};

const parseSetting = (key: ConfigKey, { raw, source }: FoundValue): unknown => {
  const setting: Setting = SETTINGS[key];
  const result = setting.type.safeParse(raw);
  if (result.success) return result.data;
  const shown = setting.secret ? `has ${raw?.length ?? 0} characters` : `is ${JSON.stringify(raw)}`;
  throw new ConfigError(key, `${key} (${source}) ${shown}`, `Set ${key} to ${setting.expects}`);
};

/** Settings that require another setting. */
const NEEDS: readonly (readonly [ConfigKey, ConfigKey])[] = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['PRICE_PACK_URL', 'PRICE_PACK_KEYS'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GITHUB_CLIENT_SECRET', 'GITHUB_CLIENT_ID'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
];

const refuseHalves = (values: ReadonlyMap<ConfigKey, unknown>): void => {
  for (const [key, other] of NEEDS) {
    if (values.get(key) === undefined || values.get(other) !== undefined) continue;
    throw new ConfigError(
      other,
      `${key} is set without ${other}`,
      `Set ${other} to ${SETTINGS[other].expects}`,
    );
  }
};

const refuseUnknown = (given: Env, place: string): void => {
  for (const key of Object.keys(given)) {
    if (key in SETTINGS) continue;
    const guess = nearest(key, keys);
    const fix = guess ? `Did you mean ${guess}?` : `Known settings: ${keys.join(', ')}`;
    throw new ConfigError(key, `${key} (${place}) is not a setting`, fix);
  }
};
