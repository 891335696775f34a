import type { Reader, ReadOp } from '../../../../db/reader.ts';

/** A read of the store, which runs in a reader process. */
export const readOp = <I, O>(name: string, run: (reader: Reader, input: I) => O): ReadOp<I, O> => ({
  name: `events.${name}`,
  run,
});
