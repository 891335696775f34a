import { hostname, networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { migrations } from '../../migrations/index.ts';
import { type App, openApp } from '../app.ts';
import type { Config } from '../config.ts';
import { placeOf } from '../db/remote/place-of.ts';
import { type Look, openServerList, schemaState } from '../db/remote/server-list.ts';
import { AppError, unavailable } from '../errors.ts';
import { Reply, toResponse } from '../http/reply.ts';
import type { ClientAddress } from '../http/server.ts';
import { createLog } from '../log.ts';
import { passOn, senderOf } from './forward.ts';
import { openRelay } from './relay.ts';

/** How often a server looks who leads, and notes that it is there. */
const LOOK_MS = 500;
const BEAT_MS = 2_000;
/** What a server has not compared with the database for this long may be out of date. */
const FRESH_MS = 10_000;
/** How long requests in progress may take before a server changes its part. */
const FINISH_MS = 10_000;
/** How long a server that ends still answers, after `/readyz` said so. */
const LEAVE_MS = 2_000;

/** Requests that are passed on at a time, each with a small body in memory. */
const MOST_PASSING = 1_000;

/**
 * `leader`: answers everything and runs the jobs. `follower`: stores events, and passes other requests on to the leader.
 * `passer`: passes all on, because its version is another one than the database's, or it is about to end.
 */
export type Part = 'leader' | 'follower' | 'passer';

/** One of several servers of the same databases. */
export type Node = {
  readonly part: () => Part;
  fetch(request: Request, from: ClientAddress): Promise<Response>;
  /** Says on which port it listens, from when on it takes part. */
  start(port: number): Promise<void>;
  /** Lets others do its part, and answers until nobody asks any more. */
  leave(): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  readonly config: Config;
  /** Unless the settings say it. */
  readonly log?: Logger;
  readonly version: string;
  /** Runs when this server has become the leader, before it answers; what it returns, before it is one no more. */
  onLead(app: App): Promise<() => Promise<void>>;
};

/** Throws like `openRemoteDb` if the database cannot be reached. */
export function openNode({ config, version, onLead, ...options }: Options): Node {
  const log = options.log ?? createLog(config.LOG_LEVEL);
  const place = placeOf(config);
  if (typeof place === 'string') throw new Error('several servers need a libSQL server');
  const id = place.holder ?? '';
  const secret = config.BETTER_AUTH_SECRET ?? '';
  let port = config.PORT;
  const list = openServerList(place, {
    name: `${hostname()}, process ${process.pid}`,
    version,
    startedAt: Date.now(),
    address: () => addressOf(config.HOST, port),
  });

  let part: Part = 'passer';
  let app: App | null = null;
  let endPart: () => Promise<void> = async () => {};
  /** Set while the part changes; requests wait for it. */
  let change: Promise<void> | null = null;
  let isStarted = false;
  let isLeaving = false;
  let running = 0;
  let passing = 0;
  let seen: Look | null = null;
  let seenAt = Number.NEGATIVE_INFINITY;
  /** Changes of what others keep in memory, made by this server. */
  let changes = 0;

  const relay = openRelay({
    url: config.REDIS_URL ?? '',
    channel: `spanledger:servers:${Bun.hash(place.url).toString(36)}`,
    ...{ id, log },
    onMessage: ({ to, event, payload }) => {
      if (to === 'all' || part === 'leader') app?.receive(event, payload);
    },
    onJoined: () => app?.dropCaches(),
  });

  const open = (leads: boolean): App =>
    openApp({
      config,
      mode: 'serve',
      log,
      server: {
        ...{ place, leads },
        send(message) {
          relay.send(message);
          if (!leads || message.to !== 'all') return;
          changes++;
          void beat();
        },
        elsewhere: (route, request, from) => {
          if (leads || route.anyServer !== true) return leads ? null : pass(request, from);
          if (route.auth !== 'none' && performance.now() - seenAt > FRESH_MS)
            throw unavailable('The database server does not answer; try again', 1);
          return null;
        },
        servers: { problem, list: list.list },
      },
    });

  /** Waits for the requests in progress, and lets others wait until the part is another one. */
  async function become(next: Part): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    change = promise;
    try {
      const until = performance.now() + FINISH_MS;
      while (running > 0 && performance.now() < until) await Bun.sleep(5);
      await endPart();
      endPart = async () => {};
      const before = app;
      app = null;
      part = 'passer';
      await before?.close();
      // The lease was taken before; what was in progress may have lasted longer.
      if (next === 'leader' && !(await list.lead())) throw unavailable('Another server leads');
      if (next !== 'passer') {
        app = open(next === 'leader');
        if (next === 'leader') endPart = await onLead(app);
        part = next;
      }
      log.info({ part }, 'this server has a part');
    } catch (error) {
      const failed = app;
      app = null;
      await failed?.close();
      throw error;
    } finally {
      change = null;
      resolve();
    }
  }

  let looked: Promise<void> | null = null;
  /** One look at a time. */
  function look(): Promise<void> {
    looked ??= lookOnce().finally(() => {
      looked = null;
    });
    return looked;
  }

  async function lookOnce(): Promise<void> {
    const asked = performance.now();
    const found = await list.look();
    const isNews = seen === null || seen.leader !== found.leader || seen.changes !== found.changes;
    [seen, seenAt] = [found, asked];
    if (isNews && part === 'follower') app?.dropCaches();
  }

  async function step(): Promise<void> {
    if (part === 'leader') return;
    await look();
    if (isLeaving) return;
    const schema = schemaState(seen as Look, migrations);
    // It may be this one, if it could not begin.
    const isFree = seen?.leader === null || seen?.leader === id;
    if (isFree && schema !== 'newer') {
      if (!(await list.lead())) return;
      try {
        seen = { ...(seen as Look), leader: id };
        await become('leader');
        await beat();
      } catch (error) {
        await list.follow();
        throw error;
      }
    } else if (schema === 'same' ? part === 'passer' && hasAddress() : part === 'follower') {
      await become(schema === 'same' ? 'follower' : 'passer');
    }
  }
  /** The leader takes turns, too: a process without an address may not. */
  const hasAddress = (): boolean => seen?.address !== null;

  async function beat(): Promise<void> {
    await list.beat(changes).catch((error: unknown) => log.debug({ err: error }, 'the list was not written'));
  }

  /** One step at a time. */
  let stepping: Promise<void> | null = null;
  let wasAway = false;
  function takeStep(): Promise<void> {
    stepping ??= step().finally(() => {
      stepping = null;
    });
    return stepping;
  }
  const looking = setInterval(() => {
    if (!isStarted) return;
    takeStep().then(
      () => {
        wasAway = false;
      },
      (error: unknown) => {
        if (!wasAway) log.warn({ err: error }, 'it could not be found out which server leads');
        wasAway = true;
      },
    );
  }, LOOK_MS);
  const beating = setInterval(() => void beat(), BEAT_MS);

  function problem(): string | null {
    if (isLeaving) return 'This server is shutting down';
    if (config.REDIS_FALLBACK === 'refuse' && !relay.isConnected()) return 'Redis does not answer';
    if (part === 'leader') return null;
    if (performance.now() - seenAt > FRESH_MS) return 'The database server does not answer';
    // A follower stores events also while none leads.
    if (part === 'follower') return null;
    if (seen?.leader === null) return 'No server leads at the moment';
    return hasAddress() ? null : `Another process works on the database alone (${seen?.name})`;
  }

  async function counted(answer: () => Promise<Response>): Promise<Response> {
    running++;
    try {
      return await answer();
    } finally {
      running--;
    }
  }

  /** While a request is passed on, this server may get another part. */
  async function pass(request: Request, { address }: ClientAddress): Promise<Response> {
    if (passing >= MOST_PASSING) throw unavailable('Too many requests wait for the leading server', 1);
    passing++;
    running--;
    try {
      return await passOn(
        request,
        { address, hops: senderOf(request, secret)?.hops ?? 0 },
        {
          secret,
          look: () => look().catch(() => undefined),
          leader: () => (seen?.leader === id ? null : (seen?.address ?? null)),
          here: async () => {
            while (change !== null) await change;
            const now = app;
            return part === 'leader' && now !== null
              ? (own) => counted(() => now.fetch(own, { address }))
              : null;
          },
        },
      );
    } finally {
      running++;
      passing--;
    }
  }

  return {
    part: () => part,
    async fetch(request, from) {
      if (change !== null && pathOf(request) === '/healthz') return Response.json({ status: 'ok' });
      while (change !== null) await change;
      const sender = senderOf(request, secret) ?? from;
      const own = app;
      const reply = await counted(() =>
        own === null ? passAny(request, sender) : own.fetch(request, sender),
      );
      // The next request of the connection goes to another server.
      if (isLeaving) reply.headers.set('Connection', 'close');
      return reply;
    },
    async start(at) {
      port = at;
      await beat();
      await takeStep();
      isStarted = true;
    },
    async leave() {
      isLeaving = true;
      await Bun.sleep(LEAVE_MS);
      await stepping?.catch(() => undefined);
      if (part === 'leader') await become('passer');
    },
    async close() {
      isLeaving = true;
      clearInterval(looking);
      clearInterval(beating);
      await stepping?.catch(() => undefined);
      if (part !== 'passer') await become('passer');
      relay.close();
      await list.leave();
    },
  };

  async function passAny(request: Request, from: ClientAddress): Promise<Response> {
    try {
      const pathname = pathOf(request);
      if (pathname === '/healthz') return Response.json({ status: 'ok' });
      if (pathname === '/readyz') {
        const missing = problem();
        if (missing !== null) throw unavailable(missing, 1);
        return Response.json({ status: 'ok' });
      }
      return await pass(request, from);
    } catch (error) {
      if (error instanceof AppError)
        return toResponse(new Reply(error.status, { error: error.message }, error.headers));
      throw error;
    }
  }
}

const pathOf = ({ url }: Request): string => new URL(url, 'http://spanledger').pathname;

/** How other servers reach this one: the address it listens on, or one of this machine. */
function addressOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'));
  const name = isAny ? (own?.address ?? '127.0.0.1') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
