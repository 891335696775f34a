import type { EventPage } from '../../core/events/contract.ts';
import type { Work } from '../../http/work/work.ts';
import { FORMATS } from './export-formats.ts';

/** Bytes of a file, and the cursor of the page after the one that was written. */
export type FilePiece = { readonly bytes: Uint8Array; readonly cursor: string | null };

type Input = { readonly format: keyof typeof FORMATS; readonly fields?: readonly string[] | undefined };

/**
 * Writes events into a file, as work: a group of rows in Parquet takes 0.1 s. Takes pages as JSON text, null for the
 * end; the first piece is empty.
 */
export const writeFileWork: Work<Input, FilePiece, string | null> = {
  name: 'event-list.write_file',
  async *run({ format, fields }) {
    const file = await FORMATS[format].open(fields);
    let page = yield { bytes: new Uint8Array(), cursor: null };
    while (page !== null) {
      const { events, nextCursor }: Omit<EventPage, 'total'> = JSON.parse(page);
      page = yield { bytes: await file.write(events), cursor: nextCursor };
    }
    yield { bytes: await file.end(), cursor: null };
  },
};
