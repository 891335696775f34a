import { isIP } from 'node:net';
import { matchNetworks } from './networks.ts';

/** Determines the client's address of a request. */
export type AddressReader = (request: Request, peer: string | null) => string | null;

/**
 * Creates a reader for the client's address: the peer of the connection, or behind trusted proxies the rightmost
 * address in `X-Forwarded-For` that is not a trusted proxy. A client can forge everything left of that.
 * @param trusted addresses and subnets (CIDR), separated by commas
 */
export function createAddressReader(trusted: string | undefined): AddressReader {
  const isProxy = matchNetworks(trusted);
  return (request, peer) => {
    if (peer === null || !isProxy(peer)) return peer;
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').reverse();
    let nearest = peer;
    for (const hop of hops) {
      const address = withoutPort(hop.trim());
      if (isIP(address) === 0) return nearest;
      nearest = address;
      if (!isProxy(address)) return address;
    }
    return nearest;
  };
}

/** Removes the port, which some proxies add: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](:\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
