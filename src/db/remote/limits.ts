/** A request to the server that takes longer has failed. */
export const REQUEST_MS = 10_000;
