/** Tables that only the first store has. Its sums of hours, days, labels and users have the tables of today. */
export const FIRST_ONLY_TABLES: readonly string[] = [
  'events',
  'event_chunks',
  'event_shapes',
  'trace_filters',
  'session_chunks',
  'event_filters',
  'chunk_seals',
  'rollup_slots',
];
