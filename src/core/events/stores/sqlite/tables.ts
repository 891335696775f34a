import type { OwnedTable } from '../../../../db/owned-table.ts';
import { ROLLUP_DIMENSIONS } from './sums/rollup-sums.ts';

/** A project's table. The store purges, expires and erases its rows itself, because the sums must be updated too. */
const ofProject = (name: string, ...key: readonly string[]): OwnedTable => ({
  name,
  scope: 'project',
  by: 'project',
  key,
  readable: true,
  purge: 'by module',
});

/** The tables of this store: the log, its segments, their sums, and what events refer to by number. */
export const eventTables: readonly OwnedTable[] = [
  ofProject('event_log', 'seq'),
  ofProject('event_log_damaged', 'seq'),
  ofProject('event_log_flips', 'seq'),
  ofProject('event_log_links', 'seq'),
  ofProject('event_segments', 'no'),
  ofProject('event_pieces', 'id'),
  ofProject('event_blocks', 'id'),
  ofProject('event_segment_flips', 'no'),
  ofProject('event_segment_runs', 'id'),
  ofProject('event_id_indexes', 'no'),
  ofProject('event_id_pages', 'id'),
  ofProject('event_labels', 'id'),
  ofProject('event_links', 'id'),
  ofProject('event_prices', 'id'),
  ofProject('user_days', 'page', 'span', 'day'),
  ofProject('event_users', 'no'),
  ofProject('rows_from', 'project'),
  ofProject('rollup_hours', 'hour', ...ROLLUP_DIMENSIONS),
  ofProject('rollup_days', 'day', ...ROLLUP_DIMENSIONS),
  ofProject('rollup_labels', 'day', 'label'),
  ofProject('rollup_label_hours', 'hour', 'label'),
  ofProject('rollup_links', 'day', 'link'),
  ofProject('rollup_link_hours', 'hour', 'link'),
  ofProject('rollup_edges', 'day', 'edge'),
  ofProject('rollup_edge_hours', 'hour', 'edge'),
  ofProject('label_packs', 'hours', 'time'),
  ofProject('repriced_events', 'repricing', 'ts', 'event_id'),
  ofProject('undated_events', 'event_id'),
  ofProject('event_outbox', 'no'),
];
