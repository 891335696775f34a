import type { Module } from '../../module.ts';
import { recordOp } from './record-op.ts';

export const eventsModule: Module = { name: 'events', writes: [recordOp] };

export type { ParsedEvent, PricedEvent } from './event.ts';
export { recordEvents, type RecordReply } from './record-events.ts';
