/** A proxy that sends requests to servers in turn. */
export type RoundRobin = {
  readonly url: string;
  add(url: string): void;
  remove(url: string): void;
  stop(): void;
};

/** How often it asks which servers are up. */
const LOOK_MS = 100;

/**
 * Leaves out servers that say in `/readyz` that they are shutting down, and tries the next one if a connection is refused.
 * It never sends again what a server may have received.
 */
export function openRoundRobin(first: readonly string[]): RoundRobin {
  const servers = new Set(first);
  const leaving = new Set<string>();
  let next = 0;
  const look = setInterval(() => {
    for (const url of servers)
      fetch(`${url}/readyz`)
        .then(async (reply) => {
          if ((await reply.text()).includes('shutting down')) leaving.add(url);
        })
        .catch(() => leaving.add(url));
  }, LOOK_MS);
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 120,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? null : await request.arrayBuffer();
      for (let tries = 0; ; tries++) {
        const up = [...servers].filter((url) => !leaving.has(url));
        const server = up[next++ % up.length];
        try {
          const { method, headers } = request;
          return await fetch(`${server}${pathname}${search}`, { method, headers, body });
        } catch (error) {
          const isRefused = error instanceof Error && 'code' in error && /refused/i.test(String(error.code));
          if (!isRefused || tries > 10)
            return new Response(`the proxy lost ${server}: ${error}`, { status: 502 });
        }
      }
    },
  });
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    add: (url) => void servers.add(url),
    remove: (url) => void servers.delete(url),
    stop() {
      clearInterval(look);
      void proxy.stop(true);
    },
  };
}
