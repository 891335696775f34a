import { type JSX, useState } from 'react';
import { Failure } from '../ui/states.tsx';
import { ApiError } from './api-error.ts';
import { isAnswering } from './lazy-page.ts';

/** Stands where a page would be that could not be loaded or drawn; loads anew once the server answers. */
export function PageFailed({ error }: { error: unknown }): JSX.Element {
  const [tries, setTries] = useState(0);
  const retry = async (): Promise<void> => {
    if (await isAnswering()) location.reload();
    else setTries(tries + 1);
  };
  const message = error instanceof ApiError ? error.message : 'This page could not be shown';
  return (
    <main>
      <Failure
        error={{
          message: tries === 0 ? message : 'Still no answer of the server',
          status: 0,
          retryAfter: null,
        }}
        retry={() => void retry()}
      />
    </main>
  );
}
