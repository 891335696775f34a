/** A piece of a large byte field of a query's input, sent before the query. */
export type BlobPart = { readonly id: number; readonly field: string; readonly part: Uint8Array };

/** Sending takes the sender about 8 ms per megabyte, during which its thread does nothing else. */
const PART_BYTES = 262_144;

/** A query's input without its large byte fields, and these in pieces, which are made as they are taken. */
export function splitBlobs(id: number, input: unknown): { rest: unknown; parts: Iterable<BlobPart> } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { rest: input, parts: [] };
  const large = Object.entries(input).filter(
    (entry): entry is [string, Uint8Array] => entry[1] instanceof Uint8Array && entry[1].length > PART_BYTES,
  );
  if (large.length === 0) return { rest: input, parts: [] };
  const names = new Set(large.map(([field]) => field));
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
  return { rest, parts: piecesOf(id, large) };
}

function* piecesOf(id: number, fields: readonly [string, Uint8Array][]): Generator<BlobPart> {
  for (const [field, bytes] of fields) {
    for (let at = 0; at < bytes.length; at += PART_BYTES)
      // A copy: a view, which is what `slice` of a `Buffer` makes, is sent with all the memory that it is a view of.
      yield { id, field, part: new Uint8Array(bytes.subarray(at, at + PART_BYTES)) };
  }
}

/** Collects the pieces of one query at a time, in order. */
export function createBlobJoiner(): { add(part: BlobPart): void; join(id: number, rest: unknown): unknown } {
  let parts: BlobPart[] = [];
  return {
    add(part) {
      // Pieces of a query that was given up.
      if (parts[0]?.id !== part.id) parts = [];
      parts.push(part);
    },
    join(id, rest) {
      const own = parts.filter((part) => part.id === id);
      parts = [];
      if (own.length === 0) return rest;
      const fields = Map.groupBy(own, ({ field }) => field);
      const joined = [...fields].map(([field, pieces]) => [
        field,
        Buffer.concat(pieces.map(({ part }) => part)),
      ]);
      return { ...(rest as object), ...Object.fromEntries(joined) };
    },
  };
}
