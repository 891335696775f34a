import { AppError } from '../../../errors.ts';

/** How long a sign-in, or its repetition, stays proof that the person is at the keyboard. */
const RECENT_MS = 10 * 60_000;

/** Whether a login session was proven recently. Times in epoch milliseconds. */
export const isRecent = ({ provenAt }: { readonly provenAt: number }, now: number): boolean =>
  now - provenAt < RECENT_MS;

/** 403 for what needs a recent sign-in; the dashboard asks for the proof and repeats the request. */
export const signInAgain = (): AppError =>
  new AppError(
    403,
    'Confirm that it is you at POST /v1/auth/reauthenticate, or sign in again; then repeat this within 10 minutes',
    { code: 'sign_in_again', more: { code: 'sign_in_again' } },
  );
