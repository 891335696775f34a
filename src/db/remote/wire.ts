import { receiveMessageOnPort } from 'node:worker_threads';
import type { SqlResult, SqlStatement } from '../connection.ts';
import { awayError, type Fault } from './fault.ts';
import { REQUEST_MS } from './limits.ts';
import type { RemotePlace } from './place.ts';

/** What the thread is asked for. `begin` starts a transaction with the first of the statements. */
export type WireRequest =
  | {
      readonly run: readonly SqlStatement[];
      readonly begin: 'write' | 'deferred' | null;
    }
  | { readonly script: string; readonly begin: 'write' | 'deferred' | null }
  | { readonly end: 'commit' | 'rollback' };

/** `at` is the place of the statement that failed. */
export type WireReply = { readonly results: SqlResult[] } | { readonly fault: Fault; readonly at: number };

/** The first message to the thread. `flag` is counted up after each reply. */
export type OpenWire = {
  readonly place: RemotePlace;
  readonly port: MessagePort;
  readonly flag: Int32Array;
};

/** Requests to a server that block this thread until the reply is there. */
export type Wire = { ask(request: WireRequest): WireReply; close(): void };

/** A request is at most two of the client. */
const PATIENCE_MS = 2 * REQUEST_MS + 2_000;

/**
 * The writer and the readers run on threads and processes of their own and wait for each statement, as they wait for
 * the disk with a file. The official client does not block, so it runs on one more thread.
 */
export function openWire(place: RemotePlace): Wire {
  const worker = new Worker(new URL('./wire-thread.ts', import.meta.url).href);
  worker.unref();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ place, port: port2, flag } satisfies OpenWire, [port2]);
  return {
    ask(request) {
      const seen = Atomics.load(flag, 0);
      port1.postMessage(request);
      Atomics.wait(flag, 0, seen, PATIENCE_MS);
      const reply = receiveMessageOnPort(port1 as unknown as Parameters<typeof receiveMessageOnPort>[0]);
      if (reply === undefined) throw awayError('the database server did not answer in time');
      return reply.message as WireReply;
    },
    close() {
      port1.close();
      worker.terminate();
    },
  };
}
