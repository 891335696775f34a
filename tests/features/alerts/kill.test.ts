import { expect, test } from 'bun:test';
import { join } from 'node:path';
import Libsql from 'libsql';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { TEST_NOW } from '../../helpers/app.ts';
import { bundleProgram, type Program } from '../../helpers/bundle.ts';
import { openFolder } from '../../helpers/folder.ts';
import { killRounds, openFailingEndpoint } from '../../helpers/kill-rounds.ts';

/** How often the process is killed; the long form is ALERT_KILLS=200. */
const ROUNDS = Number(process.env.ALERT_KILLS ?? 3);

type Told = {
  readonly type: string;
  readonly data: {
    readonly group?: string;
    readonly windowEnd?: string;
    readonly incident?: { readonly number: number };
  };
};
const causeOf = ({ type, data: { group, windowEnd, incident } }: Told): string =>
  incident === undefined ? `${type} ${group} ${windowEnd}` : `${type} #${incident.number}`;

/** Changes of groups as each alert recorded them, and what became of them. */
function readOutcome(file: string) {
  const db = new Libsql(file);
  const rows = (sql: string) => db.prepare(sql).raw(true).all([]) as string[][];
  const deliveries = rows('SELECT type, data, status FROM deliveries').map(
    ([type = '', data = '', status]) => ({
      cause: causeOf({ type, data: JSON.parse(data) as Told['data'] }),
      status,
    }),
  );
  const changesOf = (notified: string) =>
    rows(
      `SELECT to_state, group_key, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') FROM alert_history
       WHERE notified = '${notified}'`,
    ).map(([to, group, at]) => `${to === 'ok' ? 'alert.resolved' : 'alert.fired'} ${group} ${at}`);
  const timeline = rows(
    `SELECT e.value ->> 'kind', i.dimensions ->> 'model', strftime('%Y-%m-%dT%H:%M:%fZ', (e.value ->> 'at') / 1000.0, 'unixepoch')
     FROM incidents AS i, json_each(i.timeline) AS e WHERE e.value ->> 'by' = 'alerts'`,
  ).map(
    ([kind, group, at]) => `${kind === 'alert_resolved' ? 'alert.resolved' : 'alert.fired'} ${group} ${at}`,
  );
  const incidents = rows('SELECT number, status FROM incidents ORDER BY number');
  const outcome = {
    deliveries,
    told: changesOf('sent'),
    followed: changesOf('incident'),
    timeline,
    incidents,
  };
  db.close();
  return outcome;
}

test(
  'kill -9 while alerts fire into an endpoint that fails half the time: nothing lost, nothing under two ids',
  async () => {
    const folder = openFolder();
    const file = folder.path('test.db');
    const endpoint = openFailingEndpoint((body) => causeOf(body as Told));
    const evaluation = await bundleProgram(
      join(import.meta.dir, 'evaluation.scenario.ts'),
      folder.path('program'),
    );
    const program = (at: number, task: 'work' | 'drain'): Program =>
      evaluation([file, String(at), endpoint.url, task]);
    try {
      await killRounds({
        program: (round) => program(TEST_NOW + (round * HOUR_MS) / 2, 'work'),
        rounds: ROUNDS,
        maxLines: 16,
      });
      const drain = Bun.spawn(program(TEST_NOW + (ROUNDS / 2 + 24) * HOUR_MS, 'drain'));
      expect(await drain.exited).toBe(0);
      const { deliveries, told, followed, timeline, incidents } = readOutcome(file);
      const notices = incidents.flatMap(([number]) => [
        `incident.opened #${number}`,
        `incident.resolved #${number}`,
      ]);
      expect(told.length).toBeGreaterThan(1);
      // Each change was told once, or is in the timeline of one incident once, whatever was killed.
      expect(deliveries.map(({ cause }) => cause).sort()).toEqual([...told, ...notices].sort());
      expect(timeline.sort()).toEqual(followed.sort());
      expect(incidents.length).toBeGreaterThan(1);
      expect(incidents.map(([number, status]) => `${number} ${status}`)).toEqual(
        incidents.map((_, place) => `${place + 1} resolved`),
      );
      expect([...new Set(deliveries.map(({ status }) => status))]).toEqual(['delivered']);
      expect([...endpoint.accepted].sort()).toEqual([...told, ...notices].sort());
      expect([...endpoint.idsOf.values()].filter(({ size }) => size !== 1)).toEqual([]);
    } finally {
      await endpoint.stop();
      folder.remove();
    }
  },
  60_000 + ROUNDS * 5_000,
);
