import { eventsModule } from './core/events/index.ts';
import { ingestModule } from './features/ingest/index.ts';
import type { Module } from './module.ts';

/** Every core and feature module of the product: one line each. */
export const modules: readonly Module[] = [eventsModule, ingestModule];
