import { join } from 'node:path';
import { startLibsqlThread } from '../libsql/start.ts';

/**
 * Whether the tests of an app run with the control plane on a libSQL server:
 * `CONTROL_PLANE=libsql EVENT_STORE=clickhouse bun test --timeout 400000 …`.
 */
export const isOnLibsql = process.env.CONTROL_PLANE === 'libsql';

/** Nothing listens there, for tests without events. */
const NO_EVENTS = { EVENTS_URL: 'clickhouse://nobody@127.0.0.1:9/none' };

export type ControlPlane = { readonly env: Readonly<Record<string, string>>; stop(): Promise<void> };

/** The settings of a control plane on the file of a folder: opened by the product, or by a server. */
export async function openControlPlane(folder: string): Promise<ControlPlane> {
  const file = join(folder, 'test.db');
  if (!isOnLibsql) return { env: { DATABASE_URL: `file:${file}` }, stop: async () => {} };
  const server = await startLibsqlThread(file);
  return { env: { ...NO_EVENTS, DATABASE_URL: server.url }, stop: server.stop };
}
