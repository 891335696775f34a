import type { Program } from './bundle.ts';
import { randomBelow } from './random.ts';

/** Most milliseconds from the line of a process to its end. */
const MAX_PAUSE_MS = 25;

/** A scenario that is killed again and again. */
export type KillTest = {
  /** The program of a round: it writes a line at each step until it is killed. */
  readonly program: (round: number) => Program;
  readonly rounds: number;
  /** A process is killed after one to this many lines, and up to 25 ms later. */
  readonly maxLines: number;
};

/**
 * Kills processes with -9 at random points and returns how many lines they wrote in all. A process is killed for what it
 * has done and not for its age, so that a slow machine changes nothing.
 */
export async function killRounds({ program, rounds, maxLines }: KillTest): Promise<number> {
  const below = randomBelow();
  let written = 0;
  for (let round = 0; round < rounds; round++) {
    const child = Bun.spawn({ ...program(round), stdout: 'pipe', stderr: 'inherit' });
    const lines = 1 + below(maxLines);
    await linesOf(child.stdout, lines);
    written += lines;
    await Bun.sleep(below(MAX_PAUSE_MS * 8) / 8);
    child.kill('SIGKILL');
    await child.exited;
  }
  return written;
}

/** Resolves when a process has written so many lines. The stream stays open: the process must not end by a closed pipe. */
async function linesOf(stdout: ReadableStream<Uint8Array>, count: number): Promise<void> {
  const reader = stdout.getReader();
  for (let seen = 0; seen < count; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error('the process ended before it was killed');
    seen += value.filter((byte) => byte === 10).length;
  }
}

/** What an endpoint got: the ids of each cause, and the causes that it accepted. */
export type FailingEndpoint = {
  readonly url: string;
  readonly idsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly accepted: ReadonlySet<string>;
  stop(): Promise<void>;
};

/** Failures of one cause, fewer than a delivery has attempts. */
const MAX_FAILURES = 6;

/** An endpoint that fails half the time. @param causeOf what a request is about, from its body */
export function openFailingEndpoint(causeOf: (body: unknown) => string): FailingEndpoint {
  const idsOf = new Map<string, Set<string>>();
  const accepted = new Set<string>();
  const failuresOf = new Map<string, number>();
  let requests = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const cause = causeOf(await request.json());
      idsOf.set(cause, (idsOf.get(cause) ?? new Set()).add(request.headers.get('webhook-id') ?? ''));
      const failures = failuresOf.get(cause) ?? 0;
      if (requests++ % 2 === 0 && failures < MAX_FAILURES) {
        failuresOf.set(cause, failures + 1);
        return new Response(null, { status: 500 });
      }
      accepted.add(cause);
      return new Response(null, { status: 204 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    idsOf,
    accepted,
    stop: () => server.stop(true),
  };
}
