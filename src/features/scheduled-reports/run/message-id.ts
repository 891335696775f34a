/** The id of a run's notification to channels. */
export const messageIdOf = (runId: string): string => runId.replace(/^srr_/, 'msg_');
