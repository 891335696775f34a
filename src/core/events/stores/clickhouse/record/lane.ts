/** Runs pieces of work one after the other, so that each sees what the ones before it stored. */
export type Lane = { run<T>(work: () => Promise<T>): Promise<T> };

export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work, work);
      last = next.catch(() => {});
      return next;
    },
  };
}
