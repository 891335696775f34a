import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotify } from './notices/notices.tsx';

type Options<I> = {
  /** Makes the change. What it throws is shown. */
  readonly send: (input: I) => Promise<unknown>;
  /** Paths of the API whose answers are old now. */
  readonly stale: readonly string[];
  /** What to say when it is done. */
  readonly done?: string;
  /** What to say when it fails, such as `The key was not created`; the server's words follow. */
  readonly failed: string;
};

/** A change by a click: says how it went, and has what it made old fetched again. */
export function useChange<I = void>({
  send,
  stale,
  done,
  failed,
}: Options<I>): UseMutationResult<unknown, Error, I> {
  const client = useQueryClient();
  const notify = useNotify();
  return useMutation<unknown, Error, I>({
    mutationFn: send,
    onSuccess: async () => {
      if (done !== undefined) notify({ message: done });
      await Promise.all(stale.map((path) => client.invalidateQueries({ queryKey: [path] })));
    },
    onError: (error) => notify({ failed, message: error.message }),
  });
}
