import type { WriteOp } from '../../../../../db/group-commit.ts';
import { logPart, type Unsealed } from '../ingest/log-part.ts';

/** Lists what is not sealed of each project. It writes nothing. */
export const unsealedOp: WriteOp<null, (Unsealed & { readonly project: number })[]> = {
  name: 'events.unsealed',
  open(_connection, { share }) {
    const log = share(logPart);
    return { apply: () => log.projects() };
  },
};
