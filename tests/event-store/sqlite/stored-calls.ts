import { join } from 'node:path';
import { FLAG } from '../../../src/core/events/stores/sqlite/columns.ts';
import { chunksOf } from '../../../src/core/events/stores/sqlite/scan/open-chunks.ts';
import { eventIdAt } from '../../../src/core/events/stores/sqlite/scan/to-event.ts';
import { openReadSession } from '../../../src/db/reader.ts';
import { tables } from '../../../src/features.ts';

const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** The ids of the events of a project that count as calls, from the columns of its chunks. */
export function storedCalls(folder: string, project: number): string[] {
  const session = openReadSession(join(folder, 'test.db'), tables);
  try {
    const chunks = chunksOf(session.open([project]), project, ALL).map((ref) => ref.open());
    return chunks.flatMap((chunk) => {
      const present = chunk.present();
      const flags = chunk.bytes('flags');
      const places = Array.from(flags.keys()).filter(
        (place) => present[place] === 1 && ((flags[place] ?? 0) & FLAG.call) !== 0,
      );
      return places.map((place) => eventIdAt(chunk, place));
    });
  } finally {
    session.close();
  }
}
