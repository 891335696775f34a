const WINDOW_MS = 1_000;

/**
 * Slows down clients that repeat a request at once although its reply named a time to wait: of the replies with
 * `Retry-After`, `free` a second go out at once, and each further one `holdMs` later. Otherwise a few connections in a
 * loop would keep the serving thread busy with refusing them. Other replies pass.
 */
export function createRefusalHold(options: {
  readonly free: number;
  readonly holdMs: number;
}): (reply: Response) => Response | Promise<Response> {
  let windowEnd = 0;
  let refused = 0;
  return (reply) => {
    if (!reply.headers.has('Retry-After')) return reply;
    const now = performance.now();
    if (now >= windowEnd) {
      windowEnd = now + WINDOW_MS;
      refused = 0;
    }
    refused++;
    return refused <= options.free ? reply : Bun.sleep(options.holdMs).then(() => reply);
  };
}
