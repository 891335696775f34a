/** Everything a page's address can say beside its path. All of it is text, so that a link can be read. */
const KEYS = [
  // Of all pages.
  'range',
  'start',
  'end',
  'environment',
  'tz',
  'live',
  // Filters of events, by the names that the API gives them.
  'model',
  'provider',
  'status',
  'kind',
  'userId',
  'sessionId',
  'errorCode',
  'keyId',
  'tag',
  'costStatus',
  // What is open or shown on a page.
  'event',
  'at',
  'span',
  'metric',
  'day',
  'by',
  'columns',
  'q',
  'sort',
  'next',
  'id',
  // What would be otherwise.
  'as',
  'caching',
  'batch',
  'sample',
] as const;
type Key = (typeof KEYS)[number];

export type Search = { readonly [K in Key]?: string | undefined };

/** What goes along from page to page. */
const KEPT = ['range', 'start', 'end', 'environment', 'tz', 'live'] as const satisfies Key[];

export const kept = (search: Search): Search =>
  Object.fromEntries(KEPT.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])));

/** Whether an address names one of these; `constructor`, which every object has, is none. */
export const isOneOf = <K extends string>(
  name: string | undefined,
  these: Readonly<Record<K, unknown>>,
): name is K => name !== undefined && Object.hasOwn(these, name);

const MAX_VALUE = 1_000;

/** Takes what is known from an address and leaves the rest. */
export const validateSearch = (given: Record<string, unknown>): Search =>
  Object.fromEntries(
    KEYS.flatMap((key) => {
      const value = given[key];
      return typeof value === 'string' && value !== '' ? [[key, value.slice(0, MAX_VALUE)]] : [];
    }),
  );

export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};
