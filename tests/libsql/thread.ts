import { type LibsqlServer, startLibsql } from './stand-in.ts';
import type { Asked } from './start.ts';

// Entry of the thread of `startLibsqlThread`.
const scope = globalThis as unknown as { onmessage: unknown; postMessage(message: unknown): void };
let server: LibsqlServer | null = null;
scope.onmessage = async ({ data }: MessageEvent<Asked>) => {
  if ('file' in data) server = startLibsql(data.file, data.token);
  else if (data.call === 'stop') await server?.stop();
  else if (data.call !== 'requests') server?.[data.call]();
  scope.postMessage('file' in data ? server?.url : server?.requests());
};
