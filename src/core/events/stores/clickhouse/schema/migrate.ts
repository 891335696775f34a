import type { Engine } from '../engine/engine.ts';
import { raw, sql, text } from '../engine/sql.ts';
import events from './0001_events.sql' with { type: 'text' };
import tagValues from './0002_tag_values.sql' with { type: 'text' };
import repricedEvents from './0003_repriced_events.sql' with { type: 'text' };
import kept from './0004_kept.sql' with { type: 'text' };
import agentVersion from './0005_agent_version.sql' with { type: 'text' };
import link from './0006_link.sql' with { type: 'text' };
import rollups from './0007_rollups.sql' with { type: 'text' };
import moves from './0008_moves.sql' with { type: 'text' };

/** The versions of the schema, in order. One is never changed after its release. */
const VERSIONS: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001_events', sql: events },
  { name: '0002_tag_values', sql: tagValues },
  { name: '0003_repriced_events', sql: repricedEvents },
  { name: '0004_kept', sql: kept },
  { name: '0005_agent_version', sql: agentVersion },
  { name: '0006_link', sql: link },
  { name: '0007_rollups', sql: rollups },
  { name: '0008_moves', sql: moves },
];

/**
 * Brings the tables to this version, and tells which versions were applied. Several servers may do it at once: each
 * statement may be repeated.
 */
export async function migrateEvents(engine: Engine): Promise<string[]> {
  await engine.run(
    raw(
      'CREATE TABLE IF NOT EXISTS schema_versions (name String, applied_at DateTime DEFAULT now()) ENGINE = ReplacingMergeTree ORDER BY name',
    ),
  );
  const known = new Set(await appliedVersions(engine));
  const pending = VERSIONS.filter(({ name }) => !known.has(name));
  for (const version of pending) {
    for (const statement of version.sql.split(/^;$/m)) await engine.run(raw(statement));
    await engine.run(sql`INSERT INTO schema_versions (name) SELECT ${text(version.name)}`);
  }
  return pending.map(({ name }) => name);
}

async function appliedVersions(engine: Engine): Promise<string[]> {
  const rows = await engine.read<{ name: string }>(
    [],
    raw('SELECT DISTINCT name FROM schema_versions ORDER BY name'),
  );
  return rows.map(({ name }) => name);
}
