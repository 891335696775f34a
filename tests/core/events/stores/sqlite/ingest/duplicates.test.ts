import { expect, spyOn, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { createDuplicates } from '../../../../../../src/core/events/stores/sqlite/ingest/duplicates.ts';
import { openLog as openLogState } from '../../../../../../src/core/events/stores/sqlite/ingest/log-part.ts';
import { manyIdWords } from '../../../../../../src/core/events/stores/sqlite/packs/id-bytes.ts';
import { sealedPart } from '../../../../../../src/core/events/stores/sqlite/segments/sealed-part.ts';
import { openWriteConnection } from '../../../../../../src/db/connection.ts';
import { openWriterEnv } from '../../../../../../src/db/writer-env.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { record } from '../../../../../event-store/support/send.ts';
import { sqlite } from '../../../../../event-store/support/sqlite.ts';
import { openFolder } from '../../../../../helpers/folder.ts';
import { openLog } from '../open-log.ts';

const KNOWN_IDS = 50;
const events = (count: number): PricedEvent[] => Array.from({ length: count }, () => makeEvent({}));

test('sealed events that are sent again, more than the log has ids, take no id from it that is not sealed', async () => {
  const folder = openFolder();
  const { store, project: open, settle, close } = await sqlite.open(folder.path('.'));
  const project = await open('assistant', 'Acme');
  const sealedEvents = events(4 * KNOWN_IDS);
  await record(store, project, sealedEvents);
  await settle();
  const unsealed = events(KNOWN_IDS - 10);
  await record(store, project, unsealed);
  await close();

  const connection = openWriteConnection(folder.path('test.db'));
  const { share } = openWriterEnv(connection, []);
  const duplicates = createDuplicates(connection, openLogState(connection, KNOWN_IDS), share(sealedPart));
  const newOf = (sent: readonly PricedEvent[]): number => {
    const words = manyIdWords(
      'event_id',
      sent.map(({ event_id }) => event_id),
    );
    const ids = new Uint8Array(words.buffer);
    const times = Float64Array.from(sent, ({ ts }) => ts);
    const batch = { project: project.no, events: sent.length, ids, times, undated: [] };
    return sent.length - duplicates.find(batch, 99).length;
  };
  expect(newOf(sealedEvents)).toBe(0);
  expect(newOf(unsealed)).toBe(0);
  expect(newOf([...events(3), ...sealedEvents.slice(0, 5)])).toBe(3);
  connection.close();
  folder.remove();
});

test('a batch whose search for duplicates fails is new when it is sent again', async () => {
  const log = openLog();
  const project = await log.newProject();
  const sealed = Array.from({ length: 40 }, (_, i) => makeEvent({ ts: NOON + i * 1_000 }));
  await log.record(project, sealed);
  await log.seal(project);
  await log.reopen();
  // The first are of another day than the segment, which is read for the others only.
  const batch = Array.from({ length: 10 }, (_, i) => makeEvent({ ts: i < 4 ? NOON - DAY_MS : NOON + 5_500 }));
  const crc32 = spyOn(Bun.hash, 'crc32').mockImplementationOnce(() => {
    throw new RangeError('Out of memory');
  });
  await expect(record(log.store, project, batch)).rejects.toThrow();
  expect(crc32).toHaveBeenCalled();
  crc32.mockRestore();
  expect(await record(log.store, project, batch)).toMatchObject({ stored: 10, duplicates: 0 });
  expect(await record(log.store, project, batch)).toMatchObject({ stored: 0, duplicates: 10 });
  await log.close();
});
