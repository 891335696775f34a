import type { Config } from '../../../../config.ts';
import { secretOf } from '../../../../db/filed-secret.ts';
import type { Address } from './engine/connect.ts';

/** Where the settings say that events are; null for the database file. */
export function addressOf(config: Config): Address | null {
  const url = config.EVENTS_URL;
  if (url === undefined) return null;
  const user = config.EVENTS_READ_USER;
  return {
    url,
    password: secretOf(config, 'EVENTS_PASSWORD'),
    reader: user === undefined ? null : { user, password: secretOf(config, 'EVENTS_READ_PASSWORD') },
    insertQuorum: config.EVENTS_INSERT_QUORUM,
  };
}
