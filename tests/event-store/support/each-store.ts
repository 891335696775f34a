import { afterAll, beforeAll, describe } from 'bun:test';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { openFolder } from '../../helpers/folder.ts';
import type { OpenStore, Organization, StoreKind } from './harness.ts';
import { clickhouse, servedSqlite, sqlite } from './sqlite.ts';

/** The stores that each file of the suite runs against. */
const STORES: readonly StoreKind[] = isOnClickhouse ? [clickhouse] : [sqlite];
/** Stores that take long to open: the files that say so run against them too. */
const SERVED: readonly StoreKind[] = isOnClickhouse ? [] : [servedSqlite];

export const storeNamed = (name: string): StoreKind => {
  const kind = [...STORES, ...SERVED].find((one) => one.name === name);
  if (kind === undefined) throw new Error(`no store is called ${name}`);
  return kind;
};

/** The store that the tests of a file share. Each test asks for projects of its own. */
export type World = {
  readonly kind: StoreKind;
  readonly folder: string;
  /** What is open now: `reopen` replaces it. */
  readonly open: OpenStore;
  newProject(of?: Organization): Promise<ProjectScope>;
  /** Closes the store and opens it anew: what a process held in memory is gone. `meanwhile` has the folder for itself. */
  reopen(meanwhile?: () => Promise<void>): Promise<void>;
};

/**
 * Defines the tests of a subject for each store.
 * @param options `served`: also as a server opens it
 */
export function eachStore(
  subject: string,
  options: { readonly served?: boolean },
  define: (world: World) => void,
): void {
  const kinds = options.served === true ? [...STORES, ...SERVED] : STORES;
  describe.each(kinds.map((kind) => [kind.name, kind] as const))(`${subject}: %s`, (_, kind) => {
    const folder = openFolder();
    let open: OpenStore;
    let projects = 0;
    beforeAll(async () => {
      open = await kind.open(folder.path('.'));
    });
    afterAll(async () => {
      await open.close();
      folder.remove();
    });
    define({
      kind,
      folder: folder.path('.'),
      get open() {
        return open;
      },
      newProject: (of) => open.project(`project ${++projects}`, of),
      async reopen(meanwhile) {
        const now = open.clock.now();
        await open.close();
        await meanwhile?.();
        open = await kind.open(folder.path('.'));
        open.clock.set(now);
      },
    });
  });
}
