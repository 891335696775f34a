import { readFileSync } from 'node:fs';
import { selfCommand } from '../../src/db/self-command.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import type { Reply, Request, Rows } from './messages.ts';

/** Most memory of the query process. */
const MAX_BYTES = 2_000_000_000;
const WATCH_MS = 100;

/** The process that holds the events and runs the statement. */
export interface QueryProcess {
  /**
   * Sends a request and waits for its reply. Throws UserError if the request fails or the process ends; the process
   * is ended if the reply takes longer than `timeoutSeconds`.
   */
  readonly send: (request: Request, timeoutSeconds?: number) => Promise<Rows | null>;
  readonly stop: () => void;
}

/**
 * Starts the process. It ends with this one, and when it needs too much memory. A statement that runs forever can be
 * stopped in no other way than with its process.
 */
export const startQueryProcess = (): QueryProcess => {
  let waiting: PromiseWithResolvers<Rows | null> | null = null;
  let end: UserError = crashed;
  let isEnded = false;
  const settle = (use: (one: PromiseWithResolvers<Rows | null>) => void): void => {
    const one = waiting;
    waiting = null;
    if (one !== null) use(one);
  };
  const child = Bun.spawn([...selfCommand(), '__sql'], {
    // The pipe tells the process of the command's end: see parent-watch.ts.
    stdio: ['pipe', 'ignore', 'ignore'],
    ipc: (reply: Reply) =>
      settle((one) => {
        if (reply.kind === 'failure') one.reject(sqlError(reply));
        else one.resolve(reply.kind === 'rows' ? reply.result : null);
      }),
    onExit: () => {
      isEnded = true;
      settle((one) => one.reject(end));
    },
  });
  const kill = (): void => child.kill('SIGKILL');
  const endWith = (why: UserError): void => {
    end = why;
    kill();
  };
  process.once('exit', kill);
  let deadline: Timer | undefined;
  const watch = setInterval(() => residentBytes(child.pid) > MAX_BYTES && endWith(tooBig), WATCH_MS);

  return {
    send: (request, timeoutSeconds) => {
      if (isEnded) return Promise.reject(end);
      if (timeoutSeconds !== undefined)
        deadline = setTimeout(() => endWith(tooSlow(timeoutSeconds)), timeoutSeconds * 1000);
      waiting = Promise.withResolvers();
      child.send(request);
      return waiting.promise;
    },
    stop: () => {
      clearTimeout(deadline);
      clearInterval(watch);
      process.off('exit', kill);
      kill();
    },
  };
};

/** Memory of a process; 0 if it is not known. */
const residentBytes = (pid: number): number => {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    if (process.platform === 'linux') return 0; // It has ended.
    return Number(Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout) * 1024;
  }
};

const ended = (what: string, fix: string, code: string): UserError =>
  new UserError({ what, fix, code, exit: EXIT.failure });

const crashed = ended('The query process ended unexpectedly', 'Run the command again', 'query_ended');
const tooBig = ended(
  'The query needs more than 2 GB of memory',
  'Choose a shorter window, name fewer columns, or group by fewer values',
  'query_too_large',
);
const tooSlow = (seconds: number): UserError =>
  ended(
    `The statement ran longer than ${seconds} s`,
    'Choose a shorter window, or raise --timeout',
    'query_timeout',
  );

const sqlError = ({ code, message }: Extract<Reply, { kind: 'failure' }>): UserError => {
  if (code === 'TOO_LARGE')
    return ended(
      'The result is larger than 64 MB',
      'Select fewer columns, or lower --limit',
      'query_too_large',
    );
  if (code === 'SQLITE_READONLY') return usageError('The statement writes', 'It may only read the events');
  if (code === 'PARAMETERS') return usageError('The statement has parameters', 'Write the values into it');
  const fix = /no such (column|table)/.test(message)
    ? 'The table is `events`; `spanledger sql --schema` shows its columns'
    : 'Correct the statement; it is in the dialect of SQLite';
  return usageError(`SQL: ${message}`, fix);
};
