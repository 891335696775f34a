import type { ConfigKey, ConfigSource, LoadedConfig } from '../../src/config.ts';
import { SETTINGS } from '../../src/settings.ts';

/** One row of `config show`; `value` is masked if it is or contains a secret. */
export interface ConfigRow {
  readonly key: ConfigKey;
  readonly value: string | number | null;
  readonly source: ConfigSource;
  readonly secret: boolean;
  readonly doc: string;
}

/** The settings for display: secrets masked, unset as null. */
export const describeConfig = ({ values, sources }: LoadedConfig): ConfigRow[] =>
  (Object.keys(SETTINGS) as ConfigKey[]).map((key) => {
    const { secret, doc } = SETTINGS[key];
    const value = values[key] ?? null;
    return { key, value: secret ? value && '********' : maskToken(value), source: sources[key], secret, doc };
  });

/** Masks the token of a libSQL URL and the password of any URL. */
const maskToken = (value: string | number | null): string | number | null =>
  typeof value === 'string'
    ? value.replace(/(authToken=)[^&]+/gi, '$1********').replace(/(:\/\/[^/:@]*:)[^/@]+@/, '$1********@')
    : value;
