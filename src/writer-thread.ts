import { serveWrites } from './db/writer.ts';
import { modules } from './features.ts';
import { writesOf } from './module.ts';

// Entry of the writer thread, the only place of a serving process that writes to the file.
serveWrites(writesOf(modules));
