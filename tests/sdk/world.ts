import { gunzipSync } from 'node:zlib';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import { type Client, type ClientOptions, createClient, type Problem } from '../../src/sdk/index.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';

/** A client and a real server with an empty project, in one process. */
export type SdkWorld = {
  readonly app: TestApp;
  readonly client: Client;
  /** The problems that the client reported. */
  readonly problems: Problem[];
  /** Bodies of its requests to `/v1/ingest`. */
  readonly sent: Uint8Array[];
  /** Flushes, then reads the stored events in the order in which they were sent. */
  events(): Promise<StoredEvent[]>;
  /** The same, without those that an earlier call of it returned: for tests that share a world. */
  newEvents(): Promise<StoredEvent[]>;
  close(): Promise<void>;
};

/** A fetch that sends the client's requests to an app in this process. */
export const fetchOf =
  (app: TestApp, sent: Uint8Array[] = []): NonNullable<ClientOptions['fetch']> =>
  (url, init) => {
    if (init.body !== undefined) sent.push(init.body);
    const { pathname, search } = new URL(url);
    return app.fetch(pathname + search, init as RequestInit);
  };

export const readEvents = async (app: TestApp): Promise<StoredEvent[]> => {
  const path = `/v1/events?projectId=${app.seed.projectId}&limit=200&kind=all`;
  const reply = await app.fetch(path, { bearer: app.seed.bearer });
  return ((await reply.json()) as { events: StoredEvent[] }).events;
};

/** Lines of gzip NDJSON bodies. */
export const linesOf = (body: Uint8Array): string[] => gunzipSync(body).toString().trimEnd().split('\n');

const sentIds = (sent: readonly Uint8Array[]): string[] =>
  sent.flatMap(linesOf).map((line) => (JSON.parse(line) as { event_id: string }).event_id);

export const openSdkWorld = async (options: ClientOptions = {}): Promise<SdkWorld> => {
  const app = await openTestApp({ now: Date.now() });
  const problems: Problem[] = [];
  const sent: Uint8Array[] = [];
  const client = createClient({
    apiKey: app.seed.apiKey,
    baseUrl: 'http://ledger.test',
    env: {},
    fetch: fetchOf(app, sent),
    onProblem: (problem) => void problems.push(problem),
    ...options,
  });
  const events = async (): Promise<StoredEvent[]> => {
    await client.flush();
    const order = sentIds(sent);
    const place = ({ event_id }: StoredEvent): number => order.indexOf(event_id);
    return (await readEvents(app)).sort((a, b) => place(a) - place(b));
  };
  let returned = 0;
  return {
    app,
    client,
    problems,
    sent,
    events,
    newEvents: async () => {
      const all = await events();
      const more = all.slice(returned);
      returned = all.length;
      return more;
    },
    close: async () => {
      await client.shutdown({ timeoutMs: 1 });
      await app.close();
    },
  };
};

/** All chunks of a stream. */
export const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
};
