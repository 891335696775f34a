const KEY = 'spanledger.session';

/**
 * Where the sign-in is kept: this tab, until it is closed. The one place that knows, so that a cookie
 * which scripts can't read may take over.
 */
export const session = {
  token: (): string | null => sessionStorage.getItem(KEY),
  start: (token: string): void => sessionStorage.setItem(KEY, token),
  end: (): void => sessionStorage.removeItem(KEY),
};
