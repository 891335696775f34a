import { dlopen, ptr } from 'bun:ffi';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { type AppError, conflict } from '../../errors.ts';

/** The C library, of glibc and of musl. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];
const F_OFD_GETLK = 36;
const F_OFD_SETLK = 37;
const F_WRLCK = 1;
const F_UNLCK = 2;
/** The only byte that is locked: one that no file has, far from those that SQLite locks. */
const BYTE = 2n ** 62n;

/**
 * Locks a database file itself, by whatever name it was opened: a hard link, a mount of the one file, the name that it
 * had before it was moved. Under another name SQLite writes another log, and what one of two servers acknowledged would
 * be lost. The kernel releases the lock with the process. Linux only; elsewhere, and where the file or the file system
 * does not allow it, nothing is locked.
 *
 * Call it before this process has a connection to the file, and `release` after the last one is closed: closing a file
 * takes away the locks of SQLite on it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 * @throws AppError 409 if another process has locked it
 */
export function holdFile(path: string): { release(): void } {
  const file = process.platform === 'linux' ? openFile(path) : null;
  if (file === null) return { release: () => {} };
  const release = (): void => closeSync(file);
  try {
    if (lockByte(file)) return { release };
    throw inUse(path);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Refuses to read a file that a server has open under another name: what it wrote last is in a log beside that name.
 * @throws AppError 409
 */
export function refuseOtherName(path: string): void {
  if ((holderOf(path)?.otherName ?? null) !== null) throw inUse(path);
}

/** The error for a file that another process writes to. It names that process, and the name that it uses. */
export function inUse(path: string): AppError {
  const cause = Object.assign(new Error('The file is locked'), { code: 'SQLITE_BUSY' });
  const holder = holderOf(path);
  const by = `another spanledger process${holder === null ? '' : ` (pid ${holder.pid})`}`;
  if (holder === null || holder.otherName === null) return conflict(`${path} is in use by ${by}`, cause);
  return conflict(
    `${path} is the file that ${by} has open as ${holder.otherName}; use that name with --db, or stop that process`,
    cause,
  );
}

/** A process that holds a file. `otherName`: where its log lies, as it sees it, unless that is beside the file. */
type Holder = { readonly pid: number; readonly otherName: string | null };

/** Who has locked a file with `holdFile`; null if nobody has, or this user may not know it. */
function holderOf(path: string): Holder | null {
  const [file, log] = [path, `${path}-wal`].map((one) => statSync(one, { throwIfNoEntry: false }));
  if (file === undefined) return null;
  const locks = (attempt(() => readFileSync('/proc/locks', 'utf8')) ?? '').split('\n');
  const held = `:${file.ino} ${BYTE} `;
  if (!locks.some((line) => line.includes(held))) return null;
  // The lock itself names no process, those of its connections do.
  const pids = locks.flatMap(
    (line) => new RegExp(` POSIX .* (\\d+) \\S+:${file.ino} `).exec(line)?.[1] ?? [],
  );
  for (const pid of new Set(pids)) {
    const open = openFiles(pid);
    const isHeld = open.some(
      (one) =>
        isSame(one.stat, file) &&
        attempt(() => readFileSync(`/proc/${pid}/fdinfo/${one.fd}`, 'utf8'))?.includes(held),
    );
    if (!isHeld) continue;
    const logs = open.filter((one) => one.path.endsWith('-wal'));
    const isBeside = logs.length === 0 || logs.some((one) => log !== undefined && isSame(one.stat, log));
    return { pid: Number(pid), otherName: isBeside ? null : (logs[0]?.path.slice(0, -4) ?? null) };
  }
  return null;
}

const isSame = (one: Stats, other: Stats): boolean => one.ino === other.ino && one.dev === other.dev;

type OpenFile = { readonly fd: string; readonly path: string; readonly stat: Stats };

function openFiles(pid: string): OpenFile[] {
  const folder = `/proc/${pid}/fd`;
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((fd): OpenFile[] => {
    const file = `${folder}/${fd}`;
    const found = attempt(() => ({ fd, path: readlinkSync(file), stat: statSync(file) }));
    return found === null ? [] : [found];
  });
}

/** What a process that ends meanwhile, or that belongs to another user, does not say. */
function attempt<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Null if the file is missing, or not writable: SQLite then says so. */
const openFile = (path: string): number | null => attempt(() => openSync(path, 'r+'));

/** False if another process has locked the byte. True where it cannot be locked. */
function lockByte(file: number): boolean {
  const libc = LIBRARIES.reduce<Libc | null>((found, name) => found ?? attempt(() => openLibc(name)), null);
  if (libc === null) return true;
  try {
    const lock = new Uint8Array(32);
    const fields = new DataView(lock.buffer);
    fields.setInt16(0, F_WRLCK, true);
    fields.setBigInt64(8, BYTE, true);
    fields.setBigInt64(16, 1n, true);
    const call = (command: number): boolean => libc.symbols.fcntl(file, command, ptr(lock)) === 0;
    if (call(F_OFD_SETLK)) return true;
    // It says who is in the way, unless the file system knows no locks.
    return !call(F_OFD_GETLK) || fields.getInt16(0, true) === F_UNLCK;
  } finally {
    libc.close();
  }
}

type Libc = ReturnType<typeof openLibc>;

const openLibc = (name: string) =>
  dlopen(name, { fcntl: { args: ['i32', 'i32', 'ptr'], returns: 'i32' } } as const);
