import type { Call } from '../call.ts';
import type { Client } from '../client.ts';
import { type Place, runAt } from '../context.ts';
import type { Operation } from './reader.ts';

/** A started call and how to read its reply. */
export type Started = { readonly call: Call; readonly operation: Operation };

/**
 * Starts the call that a request makes; undefined if it makes none. Never throws: a request that cannot be read is
 * reported and not recorded.
 * @param place where in a trace the request was made, if that is no longer the current place
 */
export const begin = (
  client: Client,
  describe: () => Operation | undefined,
  place?: Place | undefined,
): Started | undefined => {
  try {
    const operation = describe();
    if (operation === undefined) return undefined;
    const start = (): Call => client.startCall(operation.fields, operation.prompt, operation.around);
    const call = place === undefined ? start() : runAt(place, start);
    const { meaning } = operation;
    if (meaning === undefined) return { operation, call };
    return { operation, call: { ...call, fail: (error, fields) => call.fail(meaning(error), fields) } };
  } catch (error) {
    client.report({ kind: 'internal', events: 1, message: `a call could not be read: ${String(error)}` });
    return undefined;
  }
};
