import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import Libsql from 'libsql';
import type { EventPage } from '../../../../../src/core/events/contract.ts';
import { pageOfEvents } from '../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { openReadSession } from '../../../../../src/db/reader.ts';
import { tables } from '../../../../../src/features.ts';
import { type UpgradeProgress, upgradeFile } from '../../../../../src/upgrade.ts';
import { openFolder } from '../../../../helpers/folder.ts';
import { runCommand } from '../../../../helpers/server.ts';
import { type FirstEvent, writeFirstFile } from './first-file.ts';

const folder = openFolder();
const from = folder.path('first.db');
const EVENTS = 3_000;
let sent: FirstEvent[];

beforeAll(async () => {
  sent = await writeFirstFile(from, EVENTS);
});
afterAll(() => folder.remove());

/** All events of the project in the new file, newest first. */
function eventsIn(path: string): EventPage['events'] {
  const session = openReadSession(path, tables);
  const reader = session.open([1]);
  const found: EventPage['events'] = [];
  let cursor: string | null = null;
  do {
    const query = { filters: {}, calls: false, window: { from: 0, to: 8e15 }, cursor, limit: 200 };
    const page: Omit<EventPage, 'total'> = pageOfEvents(reader, query);
    found.push(...page.events);
    cursor = page.nextCursor;
  } while (cursor !== null);
  session.close();
  return found;
}

function expectAll(path: string): void {
  const found = new Map(eventsIn(path).map((event) => [event.event_id, event]));
  // The file had two events before.
  expect(found.size).toBe(EVENTS + 2);
  for (const event of sent) expect(found.get(event.event_id)).toMatchObject(event);
}

const upgrade = (
  to: string,
  signal: AbortSignal,
  onProgress: (progress: UpgradeProgress) => void = () => {},
) => upgradeFile({ from, to, signal, onProgress });

describe('upgrade of a file of version 0.1', () => {
  test('every event is in the new file, and so are accounts, keys and the audit log', async () => {
    const to = folder.path('second.db');
    const { code, stdout } = await runCommand(['upgrade', from, to, '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, events: EVENTS + 2, file: to });
    expectAll(to);
    const verified = await runCommand(['audit', 'verify', '--db', to, '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, chains: [{ entries: 4 }] });
    for (const side of ['.part', '.part-wal', '.part.lock']) expect(existsSync(`${to}${side}`)).toBe(false);
  });

  test('it goes on where it was stopped, again and again', async () => {
    const to = folder.path('stopped.db');
    let stops = 0;
    for (let done = false; !done; ) {
      const stop = new AbortController();
      try {
        await upgrade(to, stop.signal, ({ step }) => {
          if (step !== 'compare') stop.abort();
        });
        done = true;
      } catch (error) {
        expect(stop.signal.aborted && error === stop.signal.reason).toBe(true);
        expect(existsSync(to)).toBe(false);
        stops++;
      }
    }
    expect(stops).toBeGreaterThan(20);
    expectAll(to);
  });

  test('users are summed, although their newest events were in no sum of 0.1', () => {
    const db = new Libsql(folder.path('second.db'));
    const users = db.prepare('SELECT user_id FROM event_users WHERE project = 1').raw(true).all([]);
    expect(users).toHaveLength(new Set(sent.map(({ user_id }) => user_id ?? 'ada')).size);
    db.close();
  });

  test('an unfinished file of another source, and a file that exists, are refused', async () => {
    const signal = new AbortController().signal;
    await expect(upgrade(folder.path('second.db'), signal)).rejects.toMatchObject({ status: 409 });
    await expect(
      upgradeFile({ from: folder.path('second.db'), to: folder.path('x.db'), signal, onProgress: () => {} }),
    ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('not a file of version 0.1') });
    const missing = { from: folder.path('none.db'), to: folder.path('x.db'), signal, onProgress: () => {} };
    await expect(upgradeFile(missing)).rejects.toThrow(/^There is no database at/);
    expect(existsSync(folder.path('x.db.part.lock'))).toBe(false);
    await expect(upgrade(folder.path('none/x.db'), signal)).rejects.toThrow(
      /x\.db\.part cannot be opened: check that its folder exists/,
    );
  });

  test('a difference is found, and the new file is not finished', async () => {
    const to = folder.path('wrong.db');
    const stop = new AbortController();
    const atCompare = (progress: UpgradeProgress): void => {
      if (progress.step === 'compare') stop.abort();
    };
    await expect(upgradeFile({ from, to, signal: stop.signal, onProgress: atCompare })).rejects.toBeDefined();
    const db = new Libsql(`${to}.part`);
    db.exec('DELETE FROM event_segments WHERE no = 2');
    db.close();
    await expect(upgrade(to, new AbortController().signal)).rejects.toThrow(/upgrade is wrong.*"before"/);
    expect(existsSync(to)).toBe(false);
  });
});
