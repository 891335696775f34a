import { z } from 'zod';
import {
  apiKey,
  destinations,
  emailAddresses,
  fetchedUrl,
  integer,
  keepRule,
  mailFrom,
  modelNames,
  proxies,
  publicKeys,
  publicUrl,
  smtpUrl,
  text,
  usd,
} from './lib/setting-types.ts';
import { DATABASE_SETTINGS } from './lib/settings/database-settings.ts';
import { EVENT_SETTINGS } from './lib/settings/event-settings.ts';

const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

/** One setting of the product. */
export interface Setting {
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
  ...DATABASE_SETTINGS,
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
  PLAN_CHANGES: {
    type: z.enum(['operator', 'owner']),
    expects: 'operator or owner',
    default: 'operator',
    secret: false,
    doc: 'Who changes the plan of an organization: only the operator, or its owners too',
  },
  OPERATORS: {
    type: emailAddresses.optional(),
    expects: 'email addresses with commas between them',
    default: undefined,
    secret: false,
    doc: 'Addresses of the people who see the page System; their accounts must have confirmed them',
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
  BACKUP_TO: {
    type: text.optional(),
    expects: 'a folder that exists, or s3://BUCKET/FOLDER/',
    default: undefined,
    secret: false,
    doc: 'Folder, or s3://BUCKET/FOLDER/, into which the server copies the database every hour',
  },
  BACKUP_KEEP: {
    type: keepRule,
    expects: 'counts of hours, days and weeks with commas between, such as 24h,7d,4w',
    default: '24h,7d,4w',
    secret: false,
    doc: 'Which of these copies are kept: one of each of the last hours, days and weeks',
  },
  BACKUP_PASSPHRASE_FILE: {
    type: text.optional(),
    expects: 'the path of a file',
    default: undefined,
    secret: false,
    doc: 'File with the passphrase that encrypts the secret in these copies; without it they have none',
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
  ...EVENT_SETTINGS,
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
  MODELS_FILE: {
    type: text.optional(),
    expects: 'the path of a JSON file',
    default: undefined,
    secret: false,
    doc: 'File with the language models that the server itself may call',
  },
  OPENAI_API_KEY: {
    type: apiKey.optional(),
    expects: 'an API key of OpenAI, without blanks',
    default: undefined,
    secret: true,
    doc: "Lets the server itself call OpenAI's models",
  },
  ANTHROPIC_API_KEY: {
    type: apiKey.optional(),
    expects: 'an API key of Anthropic, without blanks',
    default: undefined,
    secret: true,
    doc: "Lets the server itself call Anthropic's models",
  },
  GEMINI_API_KEY: {
    type: apiKey.optional(),
    expects: 'an API key of the Gemini API, without blanks',
    default: undefined,
    secret: true,
    doc: "Lets the server itself call Google's models",
  },
  AI_BASE_URL: {
    type: publicUrl.optional(),
    expects: 'the address of an API like that of OpenAI, such as https://llm.example.com/v1',
    default: undefined,
    secret: false,
    doc: 'OpenAI-compatible API that the server itself may call',
  },
  AI_API_KEY: {
    type: apiKey.optional(),
    expects: 'the API key for AI_BASE_URL, without blanks',
    default: undefined,
    secret: true,
    doc: 'API key for AI_BASE_URL; unset: none is sent',
  },
  AI_MODEL: {
    type: modelNames.optional(),
    expects: 'names of models with commas between, such as llama-4-maverick',
    default: undefined,
    secret: false,
    doc: 'Models of AI_BASE_URL',
  },
  AI_MONTHLY_USD: {
    type: usd.optional(),
    expects: 'an amount in USD, such as 50 or 0.5',
    default: undefined,
    secret: false,
    doc: 'What the calls of the server itself may cost per organization and month, in USD',
  },
  METRICS_TOKEN: {
    type: z
      .string()
      .min(16)
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    expects: 'at least 16 characters without blanks (openssl rand -hex 16)',
    default: undefined,
    secret: true,
    doc: 'Bearer token of GET /metrics; without it only this machine may read it',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: publicUrl.optional(),
    expects: 'the http or https URL of a collector for OTLP over HTTP, such as http://localhost:4320',
    default: undefined,
    secret: false,
    doc: "Where the server sends its own traces and errors each minute; they have no tenant's data",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    type: z
      .string()
      .regex(
        /^[!#$%&'*+.^_`|~0-9A-Za-z-]+=[\x21-\x2b\x2d-\x7e]*(,\s*[!#$%&'*+.^_`|~0-9A-Za-z-]+=[\x21-\x2b\x2d-\x7e]*)*$/,
      )
      .optional(),
    expects: 'headers for that collector, such as api-key=SECRET,tenant=a',
    default: undefined,
    secret: true,
    doc: 'Headers of these requests',
  },
  LOG_LEVEL: {
    type: logLevel,
    expects: `one of ${logLevel.options.join(', ')}`,
    default: 'info',
    secret: false,
    doc: 'Lowest level that is logged',
  },
} as const satisfies Record<string, Setting>;
