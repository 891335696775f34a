/** Lets other work of this thread run, such as other requests, between steps of a long one. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
