import { expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { createDuplicates } from '../../../../../../src/core/events/stores/sqlite/ingest/duplicates.ts';
import { openLog } from '../../../../../../src/core/events/stores/sqlite/ingest/log-part.ts';
import { manyIdWords } from '../../../../../../src/core/events/stores/sqlite/packs/id-bytes.ts';
import { sealedPart } from '../../../../../../src/core/events/stores/sqlite/segments/sealed-part.ts';
import { openWriteConnection } from '../../../../../../src/db/connection.ts';
import { openWriterEnv } from '../../../../../../src/db/writer-env.ts';
import { makeEvent } from '../../../../../event-store/support/make-event.ts';
import { record } from '../../../../../event-store/support/send.ts';
import { sqlite } from '../../../../../event-store/support/sqlite.ts';
import { openFolder } from '../../../../../helpers/folder.ts';

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
  const duplicates = createDuplicates(connection, openLog(connection, KNOWN_IDS), share(sealedPart));
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
