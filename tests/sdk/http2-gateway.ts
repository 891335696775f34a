import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A server for clients that speak only HTTP/2; it passes their requests on to a provider. */
export const startGateway = async (urlOf: () => string): Promise<{ url: string; close(): void }> => {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const answer = await fetch(urlOf() + request.url, { method: 'POST', body });
    const { connection, 'transfer-encoding': _, ...headers } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, headers);
    for await (const part of answer.body ?? []) response.write(part);
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
};
