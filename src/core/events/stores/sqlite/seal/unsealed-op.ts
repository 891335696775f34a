import type { WriteOp } from '../../../../../db/group-commit.ts';
import { logPart } from '../ingest/log-part.ts';

/** Lists how many events of each project are not sealed. It writes nothing. */
export const unsealedOp: WriteOp<null, [project: number, events: number][]> = {
  name: 'events.unsealed',
  open(_connection, { share }) {
    const log = share(logPart);
    return { apply: () => log.projects() };
  },
};
