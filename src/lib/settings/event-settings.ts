import { eventsUrl, integer, text } from '../setting-types.ts';

/** The settings of events on ClickHouse. */
export const EVENT_SETTINGS = {
  EVENTS_URL: {
    type: eventsUrl.optional(),
    expects:
      'clickhouse://USER@HOST:PORT/DATABASE, or clickhouses:// for TLS; the password is EVENTS_PASSWORD',
    default: undefined,
    secret: false,
    doc: 'ClickHouse server with the events; the database file unless set',
  },
  EVENTS_PASSWORD: {
    type: text.optional(),
    expects: 'the password of the user in EVENTS_URL',
    default: undefined,
    secret: true,
    doc: 'Password for EVENTS_URL',
  },
  EVENTS_PASSWORD_FILE: {
    type: text.optional(),
    expects: 'the path of a file',
    default: undefined,
    secret: false,
    doc: 'File with the password for EVENTS_URL',
  },
  EVENTS_READ_USER: {
    type: text.optional(),
    expects: 'a ClickHouse user that only reads and has the row policy of the documentation',
    default: undefined,
    secret: false,
    doc: 'ClickHouse user that reads events',
  },
  EVENTS_READ_PASSWORD: {
    type: text.optional(),
    expects: 'the password of EVENTS_READ_USER',
    default: undefined,
    secret: true,
    doc: 'Password of EVENTS_READ_USER',
  },
  EVENTS_READ_PASSWORD_FILE: {
    type: text.optional(),
    expects: 'the path of a file',
    default: undefined,
    secret: false,
    doc: 'File with the password of EVENTS_READ_USER',
  },
  EVENTS_INSERT_QUORUM: {
    type: integer(0, 100),
    expects: 'a number of replicas from 0 (one server) to 100',
    default: '0',
    secret: false,
    doc: 'ClickHouse replicas that confirm an insert before it is acknowledged',
  },
} as const;
