import type { EventStatus } from './contract.ts';

/** Whether the provider has, as far as is known, done the work and will bill it. */
export const isAnswered = (status: EventStatus): boolean => status === 'success' || status === 'cancelled';
