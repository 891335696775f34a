import type { OwnedTable } from '../../../../db/owned-table.ts';

/** A project's table; the store purges it. */
const ofProject = (name: string, ...key: readonly string[]): OwnedTable => ({
  name,
  scope: 'project',
  by: 'project',
  key,
  readable: true,
  purge: 'by module',
});

/** The tables of the log and its segments; the sums have tables of their own. */
export const logTables: readonly OwnedTable[] = [
  ofProject('event_log', 'seq'),
  ofProject('event_log_flips', 'seq'),
  ofProject('event_segments', 'no'),
  ofProject('event_pieces', 'id'),
  ofProject('event_blocks', 'id'),
  ofProject('event_segment_flips', 'no'),
];
