import { BlockList, isIP } from 'node:net';

/**
 * Creates a test for addresses of networks.
 * @param networks addresses and subnets (CIDR), separated by commas; none if undefined
 */
export function matchNetworks(networks: string | undefined): (address: string | null) => boolean {
  const listed = new BlockList();
  for (const network of networks?.split(',') ?? []) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) listed.addAddress(address, family);
    else listed.addSubnet(address, Number(bits), family);
  }
  return (address) => address !== null && isIP(address) !== 0 && listed.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
