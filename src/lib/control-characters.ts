/**
 * Characters that a terminal or an editor interprets instead of showing: C0 (without tab, line feed and carriage
 * return), delete, C1, line and paragraph separators, and those that change the direction of text.
 */
const CONTROLS = /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Text without control and bidirectional characters; tabs, line feeds and carriage returns stay. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '');
