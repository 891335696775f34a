import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Endpoint } from '../../http/endpoint.ts';
import { refresh } from './api.ts';
import type { Handle } from './endpoint.ts';
import { useNotify } from './notices/notices.tsx';

type Options<I> = {
  /** Makes the change. What it throws is shown. */
  readonly send: (input: I) => Promise<unknown>;
  /** Endpoints whose replies the change makes stale. */
  readonly stale: readonly Handle<Endpoint>[];
  /** Notice after a success. */
  readonly done?: string;
  /** Notice after a failure, such as `The key was not created`; the server's message follows. */
  readonly failed: string;
  /** The form that calls it shows the failure; there is a notice only if it was closed meanwhile. */
  readonly inForm?: boolean;
};

/** A change by a click: shows how it went, and has the replies that it made stale read again. */
export function useChange<I = void>({
  send,
  stale,
  done,
  failed,
  inForm = false,
}: Options<I>): UseMutationResult<unknown, Error, I> {
  const notify = useNotify();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return useMutation<unknown, Error, I>({
    mutationFn: send,
    onSuccess: async () => {
      if (done !== undefined) notify({ message: done });
      await refresh(...stale);
    },
    onError: (error) => {
      if (!(inForm && isOpen.current)) notify({ failed, message: error.message });
    },
  });
}
