import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';

/** Secrets that a file may hold, which `…_FILE` names. */
type FiledSecret =
  | 'SPANLEDGER_INIT_PASSWORD'
  | 'SPANLEDGER_INIT_API_KEY'
  | 'EVENTS_PASSWORD'
  | 'EVENTS_READ_PASSWORD';

/**
 * The setting itself, or the contents of the file that its `_FILE` names, without the final line break.
 * @throws ConfigError if the file cannot be read
 */
export function secretOf(config: Config, key: FiledSecret): string | undefined {
  const path = config[`${key}_FILE`];
  if (path === undefined) return config[key];
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new ConfigError(
      `${key}_FILE`,
      `${key}_FILE: cannot read ${path}`,
      'Name a file that the server can read',
    );
  }
}
