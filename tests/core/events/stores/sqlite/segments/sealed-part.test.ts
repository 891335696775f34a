import { expect, test } from 'bun:test';
import { logPart } from '../../../../../../src/core/events/stores/sqlite/ingest/log-part.ts';
import { idWords } from '../../../../../../src/core/events/stores/sqlite/packs/id-bytes.ts';
import { NOTHING, sealedPart } from '../../../../../../src/core/events/stores/sqlite/segments/sealed-part.ts';
import { openWriteConnection } from '../../../../../../src/db/connection.ts';
import { openWriterEnv } from '../../../../../../src/db/writer-env.ts';
import { makeEvent } from '../../../../../event-store/support/make-event.ts';
import { record } from '../../../../../event-store/support/send.ts';
import { sqlite } from '../../../../../event-store/support/sqlite.ts';
import { openFolder } from '../../../../../helpers/folder.ts';

test('a segment is asked for a new id unless the log remembers all ids of the segment', async () => {
  const folder = openFolder();
  const store = await sqlite.open(folder.path('.'));
  const project = await store.project('assistant', 'Acme');
  const events = Array.from({ length: 20 }, () => makeEvent({}));
  await record(store.store, project, events);
  await store.settle();
  await store.close();

  const connection = openWriteConnection(folder.path('test.db'));
  const { share } = openWriterEnv(connection, []);
  const [log, sealed] = [share(logPart), share(sealedPart)];
  const [event = makeEvent({})] = events;
  const words = idWords('event_id', event.event_id);
  const isFound = (isNew: boolean): boolean => sealed.find(project.no, event.ts, words, 0, isNew) !== null;
  // The log was read after the segment was sealed, so it can't know.
  expect(isFound(true)).toBeTrue();

  const [segment] = sealed.all(project.no);
  if (segment === undefined) throw new Error('nothing was sealed');
  sealed.remove(project.no, [segment.no]);
  sealed.add(segment.project, [segment], { ids: log.generation(), traces: null });
  expect([isFound(true), isFound(false)]).toEqual([false, true]);
  log.forget();
  expect(isFound(true)).toBeTrue();

  sealed.remove(project.no, [segment.no]);
  sealed.add(segment.project, [segment], NOTHING);
  expect(isFound(true)).toBeTrue();
  connection.close();
  folder.remove();
});
