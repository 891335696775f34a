/**
 * Creates the id of a control-plane row: a prefix that names its type, and a UUIDv7 without dashes.
 * @param now epoch milliseconds; ids sort by it
 * @example newId('prj', Date.now()) // 'prj_019f9c1d2b7a7e0c8f4e5d6c7b8a9f01'
 */
export function newId(prefix: string, now: number): string {
  return `${prefix}_${Bun.randomUUIDv7('hex', now).replaceAll('-', '')}`;
}
