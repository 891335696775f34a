/**
 * The reason of a refusal: its message without what was found in the line, so that lines refused for the same reason are
 * one group.
 */
export const reasonOf = (error: string): string =>
  error
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '…')
    .replaceAll(/, got [^;]*/g, '')
    .slice(0, 300);
