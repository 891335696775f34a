import { sqlOp } from './db/sql-op.ts';
import { serveWrites } from './db/writer.ts';
import { modules } from './features.ts';

// Entry of the writing thread: the only place of a serving process that writes to the file.
serveWrites([sqlOp, ...modules.flatMap((module) => module.writes ?? [])]);
