import { type AppError, badRequest } from '../../../../errors.ts';

/** What this store does not do yet is refused, so that no figure is silently wrong. */
export const unsupported = (what: string): AppError =>
  badRequest(
    `EVENTS_URL: events on ClickHouse do not support ${what} yet; without EVENTS_URL, events are in the database file, which does`,
  );

/** @throws AppError 400 */
export const refuse = (what: string): Promise<never> => Promise.reject(unsupported(what));
