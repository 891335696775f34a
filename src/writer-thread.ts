import { serveWrites } from './db/writer.ts';
import { writes } from './writes.ts';

// Entry of the writer thread, the only place of a serving process that writes to the file.
serveWrites(writes);
