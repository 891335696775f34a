import type { Client } from '../client.ts';
import { currentPlace, runAt } from '../context.ts';
import { importBuiltin } from '../runtime.ts';
import type { CallGuard } from './call-guard.ts';

/** Where `spanledger/guardrails` leaves what makes a guard, so that this entry need not contain its detectors. */
export const REGISTERED = Symbol.for('spanledger.guardrails');

/** Makes the guard of a project's guardrails of some names. */
export type CreateGuard = (client: Client, options: { readonly only: readonly string[] }) => CallGuard;

const registered = (): CreateGuard | undefined => (globalThis as { [REGISTERED]?: CreateGuard })[REGISTERED];

const MODULE = 'spanledger/guardrails';
const MISSING = `guardrails by name need the module ${MODULE}, which was not found: import { createGuardrails } from it and pass createGuardrails(ledger, { only: [...] })`;

/**
 * The guard that a wrapper was given, or one of guardrails by their names. The module with the detectors is loaded at
 * the first call, unless the application has imported it. Calls are rejected if it cannot be.
 */
export function callGuardOf(
  client: Client,
  given: CallGuard | readonly string[] | undefined,
): CallGuard | undefined {
  if (!Array.isArray(given)) return given as CallGuard | undefined;
  const only: readonly string[] = given;
  let guard: CallGuard | undefined;
  const load = async (): Promise<CallGuard> => {
    if (registered() === undefined) await importBuiltin(MODULE);
    const create = registered();
    if (create === undefined) throw new Error(MISSING);
    guard ??= create(client, { only });
    return guard;
  };
  /** In the trace of the caller, which waiting would lose in a runtime without asynchronous context. */
  const use = async <T>(run: (loaded: CallGuard) => Promise<T>): Promise<T> => {
    const place = currentPlace();
    const loaded = guard ?? (await load());
    return place === undefined ? run(loaded) : runAt(place, () => run(loaded));
  };
  return {
    request: (body) => use((loaded) => loaded.request(body)),
    reply: (value) => use((loaded) => loaded.reply(value)),
    raw: (response) => use((loaded) => loaded.raw(response)),
    stream(pieces) {
      // The request was checked before its reply can be.
      if (guard === undefined) throw new Error(MISSING);
      return guard.stream(pieces);
    },
  };
}
