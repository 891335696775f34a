import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { toOutboundError } from './outbound-error.ts';
import type { Target } from './policy.ts';

/** Further addresses of a host are not tried. */
const MAX_ADDRESSES = 4;
/** Time for one address if others are left. */
const PATIENCE_MS = 5_000;

/**
 * Connects to the first address that answers, with TLS for the name of the target.
 * @param addresses at least one; nothing is resolved here
 * @param ca accepted authorities instead of those of the system; for tests
 * @throws OutboundError, or the signal's reason
 */
export async function connect(
  target: Target,
  addresses: readonly string[],
  { signal, ca }: { readonly signal: AbortSignal; readonly ca?: string | undefined },
): Promise<Socket> {
  const tried = addresses.slice(0, MAX_ADDRESSES);
  let failure: unknown = null;
  for (const [i, address] of tried.entries()) {
    const own = i === tried.length - 1 ? signal : AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await opened(open(target, address, ca), target.secure ? 'secureConnect' : 'connect', own);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw toOutboundError(failure);
}

function open({ host, port, secure }: Target, address: string, ca: string | undefined): Socket {
  if (!secure) return connectTcp({ host: address, port });
  return connectTls({
    host: address,
    port,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
}

function opened(socket: Socket, ready: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const abort = (): void => fail(signal.reason);
  const fail = (error: unknown): void => {
    signal.removeEventListener('abort', abort);
    socket.destroy();
    reject(error);
  };
  signal.addEventListener('abort', abort, { once: true });
  socket.once('error', fail);
  socket.once(ready, () => {
    signal.removeEventListener('abort', abort);
    socket.off('error', fail);
    resolve(socket);
  });
  if (signal.aborted) abort();
  return promise;
}
