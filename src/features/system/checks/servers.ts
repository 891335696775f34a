import type { Ctx } from '../../../context.ts';
import type { Finding } from '../contract.ts';
import { ok, warn } from './findings.ts';

/** A server is seen every two seconds. */
const LATE_MS = 15_000;

/** The servers of the same databases; null where only one process may write. */
export async function checkServers({ servers }: Ctx): Promise<Finding[] | null> {
  if (servers === null) return null;
  const listed = await servers.list();
  const found: Finding[] = listed
    .filter(({ seenMsAgo }) => seenMsAgo > LATE_MS)
    .map(({ name, address, seenMsAgo }) =>
      warn(
        'servers',
        `${name} (${address}) was last seen ${Math.round(seenMsAgo / 1_000)} s ago`,
        'Look whether it runs and reaches the database; a server that has ended is forgotten after a minute',
      ),
    );
  const versions = new Set(listed.map(({ version }) => version));
  if (versions.size > 1)
    found.push(
      warn('servers', `They have different versions: ${[...versions].join(', ')}`, 'Upgrade all of them'),
    );
  const names = listed.map(
    ({ name, address, isLeader }) => `${name} (${address})${isLeader ? ', which leads' : ''}`,
  );
  return found.length > 0 ? found : [ok('servers', `${listed.length}: ${names.join('; ')}`)];
}
