import { z } from 'zod';
import { percentile } from './load.ts';
import type { Target } from './target.ts';

/** A named read: its path with query. */
export interface Read {
  readonly name: string;
  readonly path: string;
}

export interface ReadResult {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  readonly failures: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEEP_PAGE = 10_000;
const PAGE = 50;

const pageSchema = z.object({
  events: z.array(z.object({ trace_id: z.string(), timestamp: z.string() })),
  nextCursor: z.string().nullable(),
});

/** The reads that users wait for, over 30 days and over a window that starts and ends within an hour. `tag`: to split costs by. */
export const listReads = async (target: Target, tag: string): Promise<Read[]> => {
  const now = Date.now();
  const windows = {
    '30 days': span(now - 30 * DAY, now),
    '37 h': span(now - 10 * DAY - 37 * HOUR - 1_234_567, now - 10 * DAY - 1_234_567),
  };
  const project = `projectId=${target.projectId}`;
  const figures = Object.entries(windows).flatMap(([label, window]) => [
    { name: `overview, ${label}`, path: `/v1/projects/${target.projectId}/overview?${window}` },
    ...['costs', 'performance', 'errors'].map((noun) => ({
      name: `${noun}, ${label}`,
      path: `/v1/${noun}?${project}&${window}`,
    })),
  ]);
  const splits = Object.entries(windows).flatMap(([label, window]) =>
    ['userId', `tag:${tag}`].map((by) => ({
      name: `costs by ${by === 'userId' ? 'user' : 'tag'}, ${label}`,
      path: `/v1/costs/breakdown?${project}&by=${by}&${window}`,
    })),
  );
  const filters = {
    'first page': '',
    model: 'model=gpt-4o',
    status: 'status=timeout',
    environment: 'environment=staging',
    user: 'userId=user-7',
    'rare user': 'userId=user-990',
    '37 h': windows['37 h'],
    'user, 37 h': `userId=user-7&${windows['37 h']}`,
  };
  const events = Object.entries(filters).map(([label, query]) => ({
    name: `events, ${label}`,
    path: `/v1/events?${project}&${query}`,
  }));
  const deep = await deepCursor(target);
  const [event] = (await getPage(target, `/v1/events?${project}&limit=1&${windows['37 h']}`)).events;
  return [
    ...figures,
    ...splits,
    ...events,
    ...(deep === null
      ? []
      : [{ name: `events, page ${DEEP_PAGE}`, path: `/v1/events?${project}&cursor=${deep}` }]),
    { name: 'traces, first page', path: `/v1/traces?${project}` },
    { name: 'trace', path: `/v1/traces/${event?.trace_id}?${project}` },
  ];
};

/** Sends each read in turn, round after round, one request at a time. */
export const measureReads = async (
  target: Target,
  reads: readonly Read[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<ReadResult[]> => {
  const times = reads.map((): number[] => []);
  const failures = reads.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    for (const [i, read] of reads.entries()) {
      const started = performance.now();
      const response = await get(target, read.path);
      await response.arrayBuffer();
      times[i]?.push(performance.now() - started);
      if (response.status !== 200) failures[i] = (failures[i] ?? 0) + 1;
    }
  }
  return reads.map(({ name }, i) => ({
    name,
    p50: percentile(times[i] ?? [], 0.5),
    p95: percentile(times[i] ?? [], 0.95),
    failures: failures[i] ?? 0,
  }));
};

const span = (from: number, to: number): string =>
  `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`;

const get = (target: Target, path: string): Promise<Response> =>
  fetch(`${target.url}${path}`, { headers: { authorization: `Bearer ${target.bearer}` } });

const getPage = async (target: Target, path: string): Promise<z.infer<typeof pageSchema>> => {
  const response = await get(target, path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return pageSchema.parse(await response.json());
};

/** The cursor of a distant page. Only paging leads there, so it takes the largest pages. */
const deepCursor = async (target: Target): Promise<string | null> => {
  let cursor = '';
  for (let seen = 0; seen < DEEP_PAGE * PAGE; seen += 200) {
    const page = await getPage(target, `/v1/events?projectId=${target.projectId}&limit=200${cursor}`);
    if (page.nextCursor === null) return null;
    cursor = `&cursor=${page.nextCursor}`;
  }
  return cursor.slice('&cursor='.length);
};
