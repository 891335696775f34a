import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from './api-error.ts';

/** Whether the server answers anything at all. */
export const isAnswering = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/**
 * A page whose code is loaded when it is first opened. Code that a newer build no longer has makes the page load anew;
 * without an answer of the server the page says so, where loading anew would leave the dashboard.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await isAnswering()) ? error : new ApiError(0, 'The server does not answer. Is it running?');
      }),
    name,
  );
