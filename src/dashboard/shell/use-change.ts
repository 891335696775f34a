import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from './notices/notifications.ts';

type Options<I> = {
  /** Makes the change. What it throws is shown. */
  readonly send: (input: I) => Promise<unknown>;
  /** Paths of the API whose answers are old now. */
  readonly stale: readonly string[];
  /** What to say when it is done. */
  readonly done?: string;
};

/** A change by a click: says how it went, and has what it made old fetched again. */
export function useChange<I = void>({ send, stale, done }: Options<I>): UseMutationResult<unknown, Error, I> {
  const client = useQueryClient();
  return useMutation<unknown, Error, I>({
    mutationFn: send,
    onSuccess: async () => {
      if (done !== undefined) notify({ message: done, autoClose: 4_000 });
      await Promise.all(stale.map((path) => client.invalidateQueries({ queryKey: [path] })));
    },
    onError: (error) => notify({ color: 'red', title: 'That did not work', message: error.message }),
  });
}
