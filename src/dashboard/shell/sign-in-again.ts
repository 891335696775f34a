import { ApiError } from './api-error.ts';

/** Asks the person to prove that they are at the keyboard. Resolves when they have; rejects if they cancel. */
export type AskAgain = () => Promise<void>;

let ask: AskAgain | null = null;
let asking: Promise<void> | null = null;

/** Sets what asks for the proof; null takes it away. */
export function setAskAgain(next: AskAgain | null): void {
  ask = next;
}

/**
 * Sends a request, and once more if it needs a recent sign-in and the person has repeated theirs. Several requests ask
 * once.
 * @throws ApiError the refusal, if the person cancels
 */
export async function withRecentSignIn<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.more.code !== 'sign_in_again' || ask === null) throw error;
    asking ??= ask().finally(() => {
      asking = null;
    });
    await asking;
    return request();
  }
}
