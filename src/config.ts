import type { z } from 'zod';
import { AppError } from './errors.ts';
import { nearest } from './lib/nearest.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** Raw text by key, from the process, an env file or the command line. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of this process. Nothing else in the product reads it. */
export const readEnv = (): Env => process.env;

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

/** A password in an address, which is never printed. */
const PASSWORD = /(?<=:\/\/[^/]*?):[^/]*@/;

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
  const shown = setting.secret
    ? `has ${raw?.length ?? 0} characters`
    : `is ${JSON.stringify(raw?.replace(PASSWORD, ':…@'))}`;
  throw new ConfigError(key, `${key} (${source}) ${shown}`, `Set ${key} to ${setting.expects}`);
};

/** Settings that require another setting. */
const NEEDS: readonly (readonly [ConfigKey, ConfigKey])[] = [
  ['EVENTS_PASSWORD', 'EVENTS_URL'],
  ['EVENTS_PASSWORD_FILE', 'EVENTS_URL'],
  ['EVENTS_READ_USER', 'EVENTS_URL'],
  ['EVENTS_READ_PASSWORD', 'EVENTS_READ_USER'],
  ['EVENTS_READ_PASSWORD_FILE', 'EVENTS_READ_USER'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['PRICE_PACK_URL', 'PRICE_PACK_KEYS'],
  ['AI_BASE_URL', 'AI_MODEL'],
  ['AI_MODEL', 'AI_BASE_URL'],
  ['AI_API_KEY', 'AI_BASE_URL'],
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
