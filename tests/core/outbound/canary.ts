import { createServer, type Server, type Socket } from 'node:net';

/** A listener that must not be reached. */
export type Canary = {
  readonly port: number;
  /** Connections so far, whether anything was sent or not. */
  count(): number;
  close(): void;
};

/** Listens on an address (all of IPv4 and IPv6 by default) and counts connections. */
export async function openCanary(host = '::', port = 0): Promise<Canary> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  return { port: await listen(server, host, port), count: () => count, close: () => void server.close() };
}

/** Serves raw bytes on 127.0.0.2, an address that only OUTBOUND_ALLOW admits. */
export async function openRaw(
  reply: (socket: Socket) => void,
  port = 0,
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => reply(socket));
  });
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: await listen(server, '127.0.0.2', port), close };
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
