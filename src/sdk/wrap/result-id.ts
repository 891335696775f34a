const PRIME = 0x1000000000000000000013bn;
const OFFSET = 0x6c62272e07bb014262b821756295c58dn;
const BITS = (1n << 128n) - 1n;

/**
 * Ids that follow from a name, so that recording the same thing again gives the same event: the 128-bit FNV-1a hash
 * (draft-eastlake-fnv) as an event id, a trace id and a span id.
 */
export const idsOf = (name: string): { event_id: string; trace_id: string; span_id: string } => {
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(name)) hash = ((hash ^ BigInt(byte)) * PRIME) & BITS;
  const hex = hash.toString(16).padStart(32, '0');
  // A UUID of version 8: its other bits are free (RFC 9562).
  const uuid = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17)}`;
  return {
    event_id: uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    trace_id: hex,
    span_id: hex.slice(16),
  };
};
