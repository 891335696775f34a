/**
 * The reason of a refusal: its message without the values of the line, so that lines refused for the same reason are one
 * group.
 */
export const reasonOf = (error: string): string =>
  error
    .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/g, '…')
    .replaceAll(/\b\d[\d.,:TZ+-]*\b/g, '#')
    .slice(0, 300);
