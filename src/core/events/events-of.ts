import { type Ctx, listService, type Service } from '../../context.ts';
import { createIntake, type Intake } from '../../http/intake.ts';
import type { Sender } from '../../http/turns.ts';
import type { KeyScope } from '../tenancy/index.ts';
import { unpricedNotes } from './note-unpriced.ts';
import { redactors } from './redactor-of.ts';
import type { EventStore } from './store.ts';
import { addressOf } from './stores/clickhouse/address.ts';
import { type ClickhouseStore, openClickhouseStore } from './stores/clickhouse/open-store.ts';
import type { BuildDays } from './stores/clickhouse/rollups/build-job.ts';
import { openSqliteStore } from './stores/sqlite/open-store.ts';
import { sealerService } from './stores/sqlite/seal/sealer.ts';

const eventStore: Service<EventStore & Partial<Pick<ClickhouseStore, 'buildDays' | 'close'>>> = {
  name: 'events',
  open(ctx) {
    const address = addressOf(ctx.config);
    return address === null ? openSqliteStore(ctx) : openClickhouseStore(ctx, address);
  },
  close: (store) => store.close?.(),
};
const intake: Service<Intake> = {
  name: 'events.intake',
  open: (ctx) => createIntake(() => eventsOf(ctx).hasRoom()),
};

/** Events since the start: all that were acknowledged, and those of them that were stored before. */
type RecordMeter = { batches: number; accepted: number; duplicates: number };

export const recordMeter: Service<RecordMeter> = {
  name: 'events.record_meter',
  open: () => ({ batches: 0, accepted: 0, duplicates: 0 }),
};
export const eventServices = [
  listService(eventStore),
  listService(intake),
  listService(unpricedNotes),
  listService(sealerService),
  listService(redactors),
  listService(recordMeter),
];

/** The event store of a context. */
export const eventsOf = (ctx: Ctx): EventStore => ctx.use(eventStore);

/** What sums up days; null for a store that does it by itself. */
export const dayBuilderOf = (ctx: Ctx): BuildDays | null => ctx.use(eventStore).buildDays ?? null;

/** Who sends events with a key, for the intake. */
export const senderOf = ({ organizationId, keyId }: KeyScope): Sender => ({
  owner: organizationId,
  member: keyId,
});

/** The intake for request bodies with events. */
export const intakeOf = (ctx: Ctx): Intake => ctx.use(intake);
