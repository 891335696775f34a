import { openFolder } from './folder.ts';

/** A redis-server of its own, with nothing in it, on a socket in a temporary folder. */
export type TestRedis = {
  readonly url: string;
  /** Suspends the server, and resumes it. */
  stop(): void;
  resume(): void;
  close(): Promise<void>;
};

/** False where the tests with Redis are skipped: its program is missing and this is no continuous integration. */
export const hasRedis = Bun.which('redis-server') !== null || process.env.CI !== undefined;

/** Needs the program `redis-server` (Debian: apt-get install redis-server). */
export async function startRedis(): Promise<TestRedis> {
  const folder = openFolder();
  const socket = folder.path('redis.sock');
  const child = Bun.spawn(
    [
      'redis-server',
      '--port',
      '0',
      '--unixsocket',
      socket,
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder.path(''),
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  );
  let text = '';
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('accept connections')) break;
  }
  if (!text.includes('accept connections')) throw new Error(`redis-server did not start: ${text}`);
  return {
    url: `redis+unix://${socket}`,
    stop: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    close: async () => {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await child.exited;
      folder.remove();
    },
  };
}
