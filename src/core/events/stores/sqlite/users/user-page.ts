import { KINDS, type Values, widthFor } from '../sums/narrow-columns.ts';

/**
 * The sums of up to 512 users for one day, in columns: as a blob, a fifth of the size of rows, and readable without a
 * step per user. Each column uses the width that its largest value needs.
 */
export const USER_COLUMNS = [
  /** Events of any kind. */
  'events',
  /** Calls and their sums. */
  'requests',
  'errors',
  'unpriced',
  'cost_nano',
  'input_tokens',
  'output_tokens',
  /** First and last event, in milliseconds after the start of the page's first day. */
  'first',
  'last',
  'cache_read_tokens',
] as const;
export type UserColumn = (typeof USER_COLUMNS)[number];

/** Index of each column in a user's sums. */
export const U = Object.fromEntries(USER_COLUMNS.map((name, i) => [name, i])) as Record<UserColumn, number>;

/** Users per page: a user's page is their number divided by this. */
export const PAGE_USERS = 512;

/** Days per page: one, and additionally eight, so that a month takes about ten pages instead of thirty. */
export const USER_SPANS = [1, 8] as const;

/** Adds the sums of a user to others of the same span, in place. */
export function mergeSums(sums: number[], added: readonly number[]): void {
  for (const [place, value] of added.entries()) {
    const before = sums[place] ?? 0;
    if (place === U.first) sums[place] = Math.min(before, value);
    else if (place === U.last) sums[place] = Math.max(before, value);
    else sums[place] = before + value;
  }
}

/** `slots` are the users' numbers within the page, ascending; `columns` are as long as `slots`. */
export type UserPage = { readonly slots: Uint16Array; readonly columns: readonly Values[] };

/** Header size: number of users (2 bytes) and the width of each column; a multiple of 8. */
const HEADER = 16;

/** Reads a page without copying it. */
export function decodeUserPage(buffer: ArrayBuffer): UserPage {
  const header = new Uint8Array(buffer, 0, HEADER);
  const count = (header[0] ?? 0) + (header[1] ?? 0) * 256;
  const columns: Values[] = [];
  let at = HEADER;
  let slots = new Uint16Array();
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

/** Contributions of some users of a page on a day, by slot. Negative sums subtract; first and last only widen. */
export type UserDeltas = ReadonlyMap<number, readonly number[]>;

const COLUMNS = USER_COLUMNS.length;
/**
 * The sums of all slots of a page in columns, and one column without gaps. One scratch is reused, because many pages
 * are written at a time. Values are copied with `set`, because a loop over arrays of four types is ten times slower.
 */
export type PageScratch = { readonly sums: Float64Array; readonly packed: Float64Array };

export const createPageScratch = (): PageScratch => ({
  sums: new Float64Array(PAGE_USERS * COLUMNS),
  packed: new Float64Array(PAGE_USERS),
});

/** Adds sums to a page and returns its new blob; null if no user is left on it. */
export function addToUserPage(
  page: UserPage | null,
  deltas: UserDeltas,
  scratch: PageScratch,
): Uint8Array | null {
  const { sums } = scratch;
  sums.fill(0);
  if (page !== null) spread(page, scratch);
  for (const [slot, delta] of deltas) addSums(sums, slot, delta);
  const kept: number[] = [];
  for (let slot = 0; slot < PAGE_USERS; slot++) if ((sums[slot] as number) > 0) kept.push(slot);
  return kept.length === 0 ? null : encodeUserPage(kept, scratch);
}

function spread({ slots, columns }: UserPage, { sums, packed }: PageScratch): void {
  for (let place = 0; place < COLUMNS; place++) {
    packed.set(columns[place] as Values);
    for (let i = 0; i < slots.length; i++) {
      sums[place * PAGE_USERS + (slots[i] as number)] = packed[i] as number;
    }
  }
}

function addSums(sums: Float64Array, slot: number, delta: readonly number[]): void {
  const isNew = sums[slot] === 0;
  for (let place = 0; place < COLUMNS; place++) {
    const at = place * PAGE_USERS + slot;
    const value = sums[at] as number;
    const added = delta[place] as number;
    if (isNew) sums[at] = added;
    else if (place === U.first) sums[at] = Math.min(value, added);
    else if (place === U.last) sums[at] = Math.max(value, added);
    else sums[at] = value + added;
  }
}

/** The sums of some slots of the scratch as a blob. */
function encodeUserPage(slots: readonly number[], scratch: PageScratch): Uint8Array {
  const count = slots.length;
  const columns = USER_COLUMNS.map((_, place) => pack(slots, place, scratch));
  const widths = columns.map(widthFor);
  const blob = new Uint8Array(HEADER + count * (2 + widths.reduce<number>((sum, width) => sum + width, 0)));
  blob.set([count % 256, Math.floor(count / 256), ...widths]);
  const page = decodeUserPage(blob.buffer);
  page.slots.set(slots);
  for (const [place, values] of columns.entries()) page.columns[place]?.set(values);
  return blob;
}

function pack(slots: readonly number[], place: number, { sums, packed }: PageScratch): Float64Array {
  for (let i = 0; i < slots.length; i++) {
    packed[i] = sums[place * PAGE_USERS + (slots[i] as number)] as number;
  }
  return packed.slice(0, slots.length);
}
