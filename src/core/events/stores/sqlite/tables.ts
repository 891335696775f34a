import type { OwnedTable } from '../../../../db/owned-table.ts';
import { ROLLUP_DIMENSIONS } from './rollups/rollup.ts';

/** A project's table. The store purges, expires and erases its rows itself, because the sums must be updated too. */
const ofProject = (name: string, ...key: readonly string[]): OwnedTable => ({
  name,
  scope: 'project',
  by: 'project',
  key,
  readable: true,
  purge: 'by module',
});

/** The tables of this store; referencing tables come first. */
export const eventTables: readonly OwnedTable[] = [
  ofProject('events', 'ts', 'event_id'),
  ofProject('event_chunks', 'chunk'),
  ofProject('event_shapes', 'id'),
  ofProject('event_labels', 'id'),
  ofProject('event_prices', 'id'),
  ofProject('trace_filters', 'chunk'),
  ofProject('session_chunks', 'chunk'),
  ofProject('event_filters', 'chunk'),
  ofProject('user_days', 'page', 'span', 'day'),
  ofProject('event_users', 'no'),
  ofProject('chunk_seals', 'project'),
  ofProject('rows_from', 'project'),
  ofProject('rollup_slots', 'slot', ...ROLLUP_DIMENSIONS),
  ofProject('rollup_hours', 'hour', ...ROLLUP_DIMENSIONS),
  ofProject('rollup_days', 'day', ...ROLLUP_DIMENSIONS),
  ofProject('rollup_labels', 'day', 'label'),
  ofProject('rollup_label_hours', 'hour', 'label'),
  ofProject('label_packs', 'hours', 'time'),
  ofProject('repriced_events', 'repricing', 'ts', 'event_id'),
  ofProject('undated_events', 'event_id'),
];
