import { badRequest } from '../../../../errors.ts';

/** What this store does not do yet is refused, so that no figure is silently zero. @throws AppError 400 */
export const refuse = (what: string): Promise<never> =>
  Promise.reject(
    badRequest(
      `EVENTS_URL: events on ClickHouse do not support ${what} yet; without EVENTS_URL, events are in the database file, which does`,
    ),
  );
