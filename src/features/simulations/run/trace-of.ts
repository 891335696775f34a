import { createHash } from 'node:crypto';

/** The trace of a turn: the same after a crash. @param conversation run, number and round */
export const traceOf = (conversation: string, turn: number): string =>
  createHash('sha256').update(`${conversation}/${turn}`).digest('hex').slice(0, 32);
