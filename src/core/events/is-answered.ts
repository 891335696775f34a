import type { EventStatus } from './contract.ts';

/** Whether the provider presumably did the work and bills it. */
export const isAnswered = (status: EventStatus): boolean => status === 'success' || status === 'cancelled';
