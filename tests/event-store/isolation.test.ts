import { beforeAll, expect, test } from 'bun:test';
import { ofProject, ofProjects, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { IS_LONG } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { ALL, readAll } from './support/read-all.ts';
import { recountAll } from './support/recount-all.ts';
import { send } from './support/send.ts';

/** Events whose every name says whose they are. */
const marked = (mark: string, seed: number): SentEvent[] =>
  randomEvents(seed, 150, NOON - 3 * DAY_MS, NOON).map((event) => ({
    ...event,
    trace_id: `${mark} ${event.trace_id}`,
    model: event.model === null ? null : `${mark}-${event.model}`,
    price: null,
    cost_status: event.is_call ? 'client' : null,
    cost_nano: event.is_call ? (event.cost_nano ?? 0) : null,
    environment: `${mark} ${event.environment}`,
    user_id: event.user_id === null ? null : `${mark} ${event.user_id}`,
    session_id: event.session_id === null ? null : `${mark} ${event.session_id}`,
    tags: { team: `${mark} team` },
    metadata: { note: mark },
    key_id: `${mark} key`,
  }));

const MARKS = ['acme-one', 'acme-two', 'globex'] as const;

eachStore('projects', { served: IS_LONG }, (world) => {
  const events = MARKS.map((mark, place) => marked(mark, TEST_SEED + place));
  let projects: ProjectScope[];
  beforeAll(async () => {
    projects = [await world.newProject(), await world.newProject(), await world.newProject('Globex')];
    const random = createRandom(TEST_SEED);
    await Promise.all(
      projects.map((project, place) => send(world.open.store, project, events[place] ?? [], random)),
    );
  });

  for (const [place, mark] of MARKS.entries()) {
    test(`no read of ${mark} shows data of another project`, async () => {
      const project = projects[place];
      if (project === undefined) throw new Error(`no project ${mark}`);
      const everything = await readAll(world.open.store, project);
      expect(everything).toEqual(recountAll(events[place] ?? []));
      const contrast = await world.open.store.contrast(ofProject(project), {
        window: { from: NOON - DAY_MS, to: ALL.to },
        baseline: { from: ALL.from, to: NOON - DAY_MS },
        filters: {},
        measure: { part: 'cost_nano', whole: null },
        values: 100,
      });
      expect(JSON.stringify(contrast)).toContain(`${mark} team`);
      const day = await world.open.store.ledgerDay(project, {
        day: Math.floor(NOON / DAY_MS) - 1,
        by: 'tag:team',
      });
      expect(day.parties).toEqual([`${mark} team`]);
      const text = JSON.stringify([everything, contrast, day]);
      for (const other of MARKS) if (other !== mark) expect(text).not.toContain(other);
    });
  }

  test('ids and filters of one project find nothing in another', async () => {
    const { store } = world.open;
    const [, , foreign] = projects;
    if (foreign === undefined) throw new Error('no projects');
    const scope = ofProject(foreign);
    const page = { filters: {}, calls: false, window: ALL, cursor: null, limit: 5 };
    for (const { event_id: id, ts, trace_id, session_id, user_id, environment, key_id } of events[0]?.slice(
      0,
      20,
    ) ?? []) {
      expect(await store.event(scope, { id, ts: null })).toBeNull();
      expect(await store.event(scope, { id, ts })).toBeNull();
      expect(await store.trace(scope, trace_id)).toBeNull();
      expect(await store.waterfall(scope, trace_id)).toBeNull();
      expect(await store.traceLine(scope, trace_id)).toBeNull();
      expect(await store.searchTrace(scope, { traceId: trace_id, text: 'a' })).toBeNull();
      if (session_id !== null) {
        expect(await store.session(scope, session_id)).toBeNull();
        expect(await store.sessionEvents(scope, { ...page, sessionId: session_id })).toBeNull();
      }
      if (user_id !== null) expect(await store.user(scope, { userId: user_id, window: ALL })).toBeNull();
      const filters = [
        { environment },
        { userId: user_id ?? 'none' },
        { sessionId: session_id ?? 'none' },
        { keyId: key_id ?? 'none' },
      ];
      for (const filter of filters) {
        const list = (await store.events(scope, { ...page, filters: filter })).parse();
        expect(list).toEqual({ events: [], nextCursor: null, total: 0 });
      }
    }
  });

  test('a cursor of another project shows none of its rows', async () => {
    const { store } = world.open;
    const [own, , foreign] = projects.map(ofProject);
    if (own === undefined || foreign === undefined) throw new Error('no projects');
    const page = { filters: {}, calls: false, window: ALL, limit: 10 };
    const lists = [
      async (scope: typeof own, cursor: string | null) =>
        (await store.eventsAfter(scope, { ...page, cursor })).text,
      async (scope: typeof own, cursor: string | null) =>
        (await store.traces(scope, { ...page, cursor })).text,
      async (scope: typeof own, cursor: string | null) =>
        (await store.sessions(scope, { ...page, cursor, limit: 2 })).text,
    ];
    for (const list of lists) {
      const { nextCursor } = JSON.parse(await list(foreign, null)) as { nextCursor: string | null };
      expect(nextCursor).not.toBeNull();
      const text = await list(own, nextCursor);
      expect(text).not.toContain('globex');
    }
  });

  test('a scope without projects is empty', async () => {
    const { store } = world.open;
    const scope = ofProjects([]);
    const page = { filters: {}, calls: false, window: ALL, cursor: null, limit: 5 };
    expect((await store.events(scope, page)).parse()).toEqual({ events: [], nextCursor: null, total: 0 });
    expect((await store.traces(scope, page)).parse().traces).toEqual([]);
    expect((await store.sessions(scope, page)).parse().sessions).toEqual([]);
    expect(await store.span(scope)).toEqual({ firstDay: null, newest: null });
    const { all } = await store.metrics(scope, { all: { measures: ['requests'], window: ALL } });
    expect(all[0]?.requests ?? 0).toBe(0);
  });
});
