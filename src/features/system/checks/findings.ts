import type { Finding } from '../contract.ts';

export const ok = (check: string, text: string): Finding => ({ check, level: 'ok', text, fix: null });

/** Worth a look. */
export const warn = (check: string, text: string, fix: string): Finding => ({
  check,
  level: 'warn',
  text,
  fix,
});

/** Something does not work, or soon will not. */
export const bad = (check: string, text: string, fix: string): Finding => ({
  check,
  level: 'bad',
  text,
  fix,
});
