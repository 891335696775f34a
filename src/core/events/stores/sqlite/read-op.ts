import type { Reader, ReadOp, Turn } from '../../../../db/reader.ts';
import { DamagedEvents, toReadError } from './damage/damaged.ts';

/** A read of the store, which runs in a reader process. @throws AppError `damaged` if it needs damaged events */
export const readOp = <I, O>(name: string, run: (reader: Reader, input: I) => O): ReadOp<I, O> => ({
  name: `events.${name}`,
  run(reader, input) {
    try {
      return run(reader, input);
    } catch (error) {
      throw error instanceof DamagedEvents ? toReadError(error) : error;
    }
  },
});

/** A read of a job. Nobody waits for most of them. */
export const jobRead = <I, O>(
  name: string,
  run: (reader: Reader, input: I) => O,
  turn: Turn = 'last',
): ReadOp<I, O> => ({ ...readOp(name, run), turn });
