/**
 * The sums of up to 512 users for one day, column by column: as a blob a fifth of what rows would take, and
 * read without a step for each user. A column has as many bytes for each value as its largest needs.
 */
export const USER_COLUMNS = [
  /** Events of any kind. */
  'events',
  /** Calls, and what they add up to. */
  'requests',
  'errors',
  'unpriced',
  'cost_nano',
  'input_tokens',
  'output_tokens',
  /** First and last event, in milliseconds of the day. */
  'first',
  'last',
] as const;
export type UserColumn = (typeof USER_COLUMNS)[number];

/** Place of each column in the sums of a user. */
export const U = Object.fromEntries(USER_COLUMNS.map((name, i) => [name, i])) as Record<UserColumn, number>;

/** Users of a page: those whose number divided by this is the page's. */
export const PAGE_USERS = 512;

type Values = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** `slots`: the users' numbers within the page, ascending; `columns` by place, as long as `slots`. */
export type UserPage = { readonly slots: Uint16Array; readonly columns: readonly Values[] };

/** The header: how many users (2 bytes) and the width of each column; a multiple of 8. */
const HEADER = 16;
const KINDS = [
  { bytes: 8, of: Float64Array },
  { bytes: 4, of: Uint32Array },
  { bytes: 2, of: Uint16Array },
  { bytes: 1, of: Uint8Array },
] as const;

/** Reads a page without copying it. */
export function decodeUserPage(buffer: ArrayBuffer): UserPage {
  const header = new Uint8Array(buffer, 0, HEADER);
  const count = (header[0] ?? 0) + (header[1] ?? 0) * 256;
  const columns: Values[] = [];
  let at = HEADER;
  let slots = new Uint16Array();
  // The widest first, so that each begins where its values may.
  for (const { bytes, of } of KINDS) {
    for (let place = 0; place < USER_COLUMNS.length; place++) {
      if (header[2 + place] !== bytes) continue;
      columns[place] = new of(buffer, at, count);
      at += bytes * count;
    }
    if (bytes !== 2) continue;
    slots = new Uint16Array(buffer, at, count);
    at += bytes * count;
  }
  return { slots, columns };
}

/** What some users of a page add on a day, by slot. Negative sums take back; first and last only widen. */
export type UserDeltas = ReadonlyMap<number, readonly number[]>;

/** The blob of a page with something added; null when nobody is left on it. */
export function addToUserPage(page: UserPage | null, deltas: UserDeltas): Uint8Array | null {
  const users = new Map<number, number[]>();
  for (const [i, slot] of page?.slots.entries() ?? []) {
    users.set(
      slot,
      (page?.columns ?? []).map((values) => values[i] ?? 0),
    );
  }
  for (const [slot, delta] of deltas) users.set(slot, addSums(users.get(slot), delta));
  const kept = [...users].filter(([, sums]) => (sums[U.events] ?? 0) > 0).sort(([a], [b]) => a - b);
  return kept.length === 0 ? null : encodeUserPage(kept);
}

function addSums(sums: readonly number[] | undefined, delta: readonly number[]): number[] {
  if (sums === undefined) return [...delta];
  return sums.map((value, place) => {
    const added = delta[place] ?? 0;
    if (place === U.first) return Math.min(value, added);
    return place === U.last ? Math.max(value, added) : value + added;
  });
}

function encodeUserPage(users: readonly (readonly [slot: number, sums: readonly number[]])[]): Uint8Array {
  const count = users.length;
  const columns = USER_COLUMNS.map((_, place) => users.map(([, sums]) => sums[place] ?? 0));
  const widths = columns.map((values) => widthFor(Math.max(...values)));
  const bytes = HEADER + count * (2 + widths.reduce((sum, width) => sum + width, 0));
  const blob = new Uint8Array(bytes);
  blob.set([count % 256, Math.floor(count / 256), ...widths]);
  const { slots, columns: views } = decodeUserPage(blob.buffer);
  slots.set(users.map(([slot]) => slot));
  for (const [place, view] of views.entries()) view.set(columns[place] ?? []);
  return blob;
}

const widthFor = (max: number): number => (max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 32 ? 4 : 8);
