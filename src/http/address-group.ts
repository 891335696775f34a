/**
 * The rate-limit group of an address: an IPv4 address itself, or the /64 of an IPv6 address, because one subscriber
 * owns a whole /64. Null (no socket) is a separate group.
 * @example addressGroup('2001:db8:1:2:3:4:5:6') === '2001:db8:1:2'
 */
export function addressGroup(address: string | null): string {
  if (address === null) return 'none';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : new Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
