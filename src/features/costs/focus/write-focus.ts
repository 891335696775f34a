import type { Work } from '../../../http/work/work.ts';
import type { FocusRow } from './columns.ts';
import type { FocusFormat } from './contract.ts';
import { openFocusFile } from './focus-file.ts';

type Rows = readonly FocusRow[];

/** Writes rows into a file, as work. Takes rows, null for the end; the first piece is empty. */
export const writeFocusWork: Work<{ readonly format: FocusFormat }, Uint8Array, Rows | null> = {
  name: 'costs.write_focus',
  async *run({ format }) {
    const file = await openFocusFile(format);
    let rows = yield new Uint8Array();
    while (rows !== null) rows = yield await file.write(rows);
    yield await file.end();
  },
};
