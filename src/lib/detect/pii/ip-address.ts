import ipaddr from 'ipaddr.js';
import { type Detector, matchAt, matchesOf } from '../match.ts';

const V4 = /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g;
const V6 = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,8}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4})(?![\w:])/gi;
const TWO_COLONS = /:[0-9a-f]{0,4}:/i;
/** What stands before a version of four parts. */
const VERSION =
  /(?:\bv|version|release|build|chrome\/|safari\/|edge?\/|firmware|chapter|section|§|kapitel)\s{0,3}[:=]?\s{0,3}$/i;

/** Addresses of the internet. Those of private networks and of the machine itself tell nothing about a person. */
export const ipAddress: Detector = {
  type: 'ip_address',
  scan: (text) => [
    ...matchesOf(text, V4, (found) =>
      isPublic(found[0]) && !VERSION.test(text.slice(Math.max(0, found.index - 16), found.index))
        ? matchAt(found, 'ip_address', 0.85)
        : null,
    ),
    ...(TWO_COLONS.test(text)
      ? matchesOf(text, V6, (found) =>
          isWhole(found[0]) && isPublic(found[0]) ? matchAt(found, 'ip_address', 0.9) : null,
        )
      : []),
  ],
};

function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)))
    return false;
  return ipaddr.parse(address).range() === 'unicast';
}

/** Eight groups, or fewer around a gap: times of day and ratios are no addresses. */
const isWhole = (address: string): boolean =>
  address.length >= 6 &&
  (address.includes('::') || address.split(':').length === (address.includes('.') ? 7 : 8));
