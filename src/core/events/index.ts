import type { Module } from '../../module.ts';
import { recordOp } from './record-op.ts';

export const eventsModule: Module = { name: 'events', writes: [recordOp] };

export type { ParsedEvent, PricedEvent } from './event.ts';
export { type ParseContext, parseEvent } from './parse-event.ts';
export { type RecordReply, type RefusedLine, recordEvents } from './record-events.ts';
export { redactorOf } from './redactor-of.ts';
