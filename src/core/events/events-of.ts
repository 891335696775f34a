import { type Ctx, listService, type Service } from '../../context.ts';
import type { EventStore } from './store.ts';
import { openSqliteStore } from './stores/sqlite/open-store.ts';

const eventStore: Service<EventStore> = { name: 'events', open: openSqliteStore };
export const eventServices = [listService(eventStore)];

/** The store of events. */
export const eventsOf = (ctx: Ctx): EventStore => ctx.use(eventStore);
