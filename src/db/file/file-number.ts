import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs';
import type { Connection } from '../connection.ts';
import { lookInto } from './look-into.ts';

/**
 * Each file has a random number, SQLite's `user_version`, in its header. SQLite applies any log that lies beside a file
 * under the right name; the number shows whose log it is, because a log contains the file's first page whenever the
 * file grew. See https://www.sqlite.org/fileformat2.html.
 */
const NUMBER_AT = 60;
const MAGIC = 'SQLite format 3\0';
const LOG_MAGIC = 0x377f0682;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

const newNumber = (): number => 1 + Math.floor(Math.random() * 0x7ffffffe);

/** Gives a file its number, if it has none. */
export function numberFile(connection: Connection): void {
  if (numberOf(connection) !== null) return;
  connection.exec(`PRAGMA user_version = ${newNumber()}`);
  // The number counts from when it is in the file itself.
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Gives a copy a number of its own. No connection may have it open, and it may have no log. */
export function renumberFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(newNumber());
    writeSync(file, bytes, 0, 4, NUMBER_AT);
  } finally {
    closeSync(file);
  }
}

/**
 * Whether the log beside a file was written for another one, read without a connection to both: one would move the log
 * into the file. False if either has no number.
 */
export function hasForeignLog(path: string): boolean {
  const logged = numberInLog(`${path}-wal`);
  if (logged === null) return false;
  const own = lookInto(path, numberOf);
  return own !== null && logged !== own;
}

/** Null if the file has none. */
export function numberOf(connection: Connection): number | null {
  const [[number] = []] = connection.prepare('PRAGMA user_version').raw(true).all([]) as number[][];
  return number || null;
}

function numberInLog(path: string): number | null {
  if (!existsSync(path)) return null;
  return readWith(path, (read) => {
    const header = read(0, LOG_HEADER);
    // The last bit is the order of bytes in checksums.
    if (header === null || (header.readUInt32BE(0) & ~1) >>> 0 !== LOG_MAGIC) return null;
    const size = header.readUInt32BE(8);
    if (size < 512 || size > 65_536) return null;
    const salts = header.subarray(16, 24);
    for (let at = LOG_HEADER; ; at += FRAME_HEADER + size) {
      const frame = read(at, FRAME_HEADER);
      // Frames with other salts are left from before the log began anew.
      if (frame === null || !frame.subarray(8, 16).equals(salts)) return null;
      if (frame.readUInt32BE(0) !== 1) continue;
      const page = read(at + FRAME_HEADER, 100);
      if (page?.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
      return page.readUInt32BE(NUMBER_AT) || null;
    }
  });
}

type Read = (at: number, length: number) => Buffer | null;

function readWith<T>(path: string, use: (read: Read) => T): T {
  const file = openSync(path, 'r');
  try {
    return use((at, length) => {
      const bytes = Buffer.alloc(length);
      return readSync(file, bytes, 0, length, at) === length ? bytes : null;
    });
  } finally {
    closeSync(file);
  }
}
