import type { Ctx } from '../../../../../src/context.ts';
import type { PricedEvent } from '../../../../../src/core/events/event.ts';
import { openSqliteStore } from '../../../../../src/core/events/index.ts';
import type { EventStore } from '../../../../../src/core/events/store.ts';
import { sealerService } from '../../../../../src/core/events/stores/sqlite/seal/sealer.ts';
import type { ProjectScope } from '../../../../../src/core/tenancy/index.ts';
import { openReadSession, type Reader } from '../../../../../src/db/reader.ts';
import { tables } from '../../../../../src/features.ts';
import { inBatches, record } from '../../../../event-store/support/send.ts';
import { findOrCreate, openContext } from '../../../../event-store/support/sqlite.ts';
import type { TestClock } from '../../../../helpers/app.ts';
import { openFolder } from '../../../../helpers/folder.ts';

/** Most events of a batch, as of a request. */
const BATCH = 5_000;

/** A log store on a new file, with what is below its interface. */
export type OpenLog = {
  readonly ctx: Ctx;
  readonly clock: TestClock;
  readonly store: EventStore;
  newProject(): Promise<ProjectScope>;
  /** Records events in batches. `spans`: as OTLP spans. */
  record(
    project: ProjectScope,
    events: readonly PricedEvent[],
    how?: Parameters<typeof record>[3],
  ): Promise<void>;
  /** Moves all batches of a project into segments. */
  seal(project: ProjectScope): Promise<void>;
  reader(...projects: readonly ProjectScope[]): Reader;
  /** Opens the file anew: what a process held in memory is gone. */
  reopen(): Promise<void>;
  close(): Promise<void>;
};

export function openLog(): OpenLog {
  const folder = openFolder();
  const path = folder.path('test.db');
  let open = openContext(path, 'inline');
  let store = openSqliteStore(open.ctx);
  const session = openReadSession(path, tables);
  let projects = 0;
  return {
    get ctx() {
      return open.ctx;
    },
    get clock() {
      return open.clock;
    },
    get store() {
      return store;
    },
    newProject: () => findOrCreate(open.ctx, `project ${++projects}`, 'Acme'),
    async record(project, events, how) {
      for (const batch of inBatches(events, BATCH)) await record(store, project, batch, how);
    },
    seal: ({ no }) => open.ctx.use(sealerService).sealAll(no),
    reader: (...scopes) => session.open(scopes.map(({ no }) => no)),
    async reopen() {
      await open.close();
      open = openContext(path, 'inline');
      store = openSqliteStore(open.ctx);
    },
    async close() {
      session.close();
      await open.close();
      folder.remove();
    },
  };
}
