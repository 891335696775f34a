import { serveWrites } from '../../../src/db/writer.ts';
import { sqliteWrites } from './sqlite-writes.ts';

// Entry of the writing thread of a store that is opened as the server opens it.
serveWrites(sqliteWrites);
