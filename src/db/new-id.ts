/**
 * The id of a new control-plane row: a prefix that says what it is, and a UUIDv7 without dashes.
 * @param now epoch milliseconds, by which ids sort
 * @example newId('prj', Date.now()) // 'prj_019f9c1d2b7a7e0c8f4e5d6c7b8a9f01'
 */
export function newId(prefix: string, now: number): string {
  return `${prefix}_${Bun.randomUUIDv7('hex', now).replaceAll('-', '')}`;
}
