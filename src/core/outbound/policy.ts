import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { matchNetworks } from '../../http/networks.ts';
import { OutboundError } from './outbound-error.ts';

/** Where requests may go. */
export type Policy = {
  /** Whether the operator lists this host name, without a trailing dot. */
  isListedName(name: string): boolean;
  /** Whether the operator lists this address. */
  isListedAddress(address: string): boolean;
};

/**
 * @param allow addresses, subnets (CIDR) and host names, separated by commas, that are allowed although they are not
 * public; none if undefined
 */
export function createPolicy(allow: string | undefined): Policy {
  const entries = allow?.split(',') ?? [];
  const isNetwork = (entry: string): boolean => isIP(entry.split('/')[0] ?? '') !== 0;
  const networks = entries.filter(isNetwork);
  const names = new Set(entries.filter((entry) => !isNetwork(entry)));
  return {
    isListedName: (name) => names.has(name),
    isListedAddress: matchNetworks(networks.length === 0 ? undefined : networks.join()),
  };
}

/** Serves metadata and credentials to virtual machines of Azure, from a public address. */
const AZURE_HOST = '168.63.129.16';

/**
 * Whether an address is one of the public internet. All special ranges are not, including those that contain or are
 * translated to other addresses: mapped, 6to4, Teredo, NAT64.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === AZURE_HOST) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // IANA assigns global unicast addresses of IPv6 only from 2000::/3.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** A destination as it appears in a URL. */
export type Target = {
  readonly url: URL;
  /** A name without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** All addresses of the host are allowed, and http. */
  readonly trusted: boolean;
};

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Ports below are those of other services of a system, such as SSH and SMTP. */
const FIRST_USER_PORT = 1024;

/**
 * Checks what a URL alone shows, without a look-up of its name.
 * @param trustedOrigin an origin from the configuration of the operator, whose addresses are not checked
 * @throws OutboundError
 */
export function parseTarget(policy: Policy, given: string | URL, trustedOrigin?: string): Target {
  const url = URL.parse(String(given));
  if (url === null) throw refused('This is not a URL. Use one such as https://example.com/path');
  const { protocol, hostname } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw refused('Use a URL that starts with https://');
  if (url.username !== '' || url.password !== '')
    throw refused('The URL contains a user name or password. Remove them');
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const trusted = url.origin === trustedOrigin || policy.isListedName(host);
  const secure = protocol === 'https:';
  const port = url.port === '' ? (secure ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  const target: Target = { url, host, port, secure, trusted };
  if (isIP(host) !== 0) allowedAddresses(policy, target, [host]);
  return target;
}

/**
 * The addresses to which a request may connect, of those that the host has.
 * @throws OutboundError if there are none
 */
export function allowedAddresses(policy: Policy, target: Target, addresses: readonly string[]): string[] {
  if (target.trusted) return [...addresses];
  const listed = addresses.filter((address) => policy.isListedAddress(address));
  if (listed.length > 0) return listed;
  const { host, port, secure } = target;
  const open = addresses.filter(isPublicAddress);
  if (open.length === 0) throw notPublic(host);
  if (!secure) throw refused(`Use https. The operator can allow http to a host with OUTBOUND_ALLOW`);
  if (port !== HTTPS_PORT && port !== HTTP_PORT && port < FIRST_USER_PORT)
    throw refused(`Port ${port} is not allowed. Use 443 or a port from ${FIRST_USER_PORT} upwards`);
  return open;
}

const refused = (message: string): OutboundError => new OutboundError('refused', message);

/** The same for a name that does not exist and for one of the internal network, so that nobody can list these. */
export function notPublic(host: string): OutboundError {
  if (isIP(host) !== 0)
    return refused(`${host} is not a public address. The operator can allow it with OUTBOUND_ALLOW`);
  return new OutboundError(
    'unresolved',
    `${host} has no public address. Check the name; the operator can allow hosts of the internal network with OUTBOUND_ALLOW`,
  );
}
