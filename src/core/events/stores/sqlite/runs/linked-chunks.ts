import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { openLine, unsealedLines } from '../links/unsealed-links.ts';
import type { Chunk } from '../scan/chunk.ts';
import { segmentsOf } from '../scan/open-chunks.ts';

/** The chunks of a project with events in a window that may have a place in the graph, with the numbers of their links. */
export function* linkedChunks(reader: Reader, project: number, window: Window): Generator<Chunk> {
  for (const ref of segmentsOf(reader, project, window)) yield ref.open();
  for (const line of unsealedLines(reader, project, window)) yield openLine(reader, project, line);
}
