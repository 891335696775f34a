import { apiKey, databaseUrl, text } from '../setting-types.ts';

/** The settings of the control plane's database. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: {
    type: databaseUrl,
    expects: 'a path or file:PATH, or libsql://HOST without a token for a libSQL server',
    default: 'file:./spanledger.db',
    secret: false,
    doc: 'Database file, or libsql://HOST: a libSQL server, with EVENTS_URL',
  },
  DATABASE_AUTH_TOKEN: {
    type: apiKey.optional(),
    expects: 'the token of the libSQL server in DATABASE_URL',
    default: undefined,
    secret: true,
    doc: 'Token for a libSQL server',
  },
  DATABASE_AUTH_TOKEN_FILE: {
    type: text.optional(),
    expects: 'the path of a file with the token of the libSQL server',
    default: undefined,
    secret: false,
    doc: 'File with the token for a libSQL server',
  },
} as const;
