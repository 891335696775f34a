import { type ChunkSums, createChunkSums } from '../users/chunk-sums.ts';

/** Sums of chunks, collected while their rows were stored, so that sealing them reads no rows. */
export type SeenChunks = {
  /** The sums to add a chunk's new rows to. */
  touch(project: number, chunk: number): ChunkSums;
  /** The collected sums of a chunk, possibly incomplete. */
  find(project: number, chunk: number): ChunkSums | null;
  /** The collected sums if they cover all of the chunk's events. */
  findWhole(project: number, chunk: number, events: number): ChunkSums | null;
  drop(project: number, chunk: number): void;
  clear(): void;
};

/** Cached chunks per project (open or waiting to be sealed), and cached projects. */
const REMEMBERED = 8;
const PROJECTS = 64;

export function createSeenChunks(): SeenChunks {
  const seen = new Map<number, Map<number, ChunkSums>>();
  const find = (project: number, chunk: number): ChunkSums | null => seen.get(project)?.get(chunk) ?? null;
  return {
    find,
    findWhole(project, chunk, events) {
      const sums = find(project, chunk);
      return sums?.events === events ? sums : null;
    },
    touch(project, chunk) {
      const own = seen.get(project) ?? new Map<number, ChunkSums>();
      seen.delete(project);
      seen.set(project, own);
      dropFirst(seen, PROJECTS);
      const sums = own.get(chunk) ?? createChunkSums();
      own.set(chunk, sums);
      dropFirst(own, REMEMBERED);
      return sums;
    },
    drop: (project, chunk) => seen.get(project)?.delete(chunk),
    clear: () => seen.clear(),
  };
}

/** Drops the oldest entry of a map that has more than `most`. */
function dropFirst(map: Map<number, unknown>, most: number): void {
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}
