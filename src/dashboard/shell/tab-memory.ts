/** What pages keep in this browser tab until its person signs out. It is never sent anywhere. */

const PREFIX = 'spanledger.tab ';

type Kept = { readonly userId: string; readonly value: unknown };

/** What a person kept under a name; null for nothing, and for what somebody else left in the tab, which is forgotten. */
export function readTab(name: string, userId: string): unknown {
  const key = `${PREFIX}${name}`;
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null;
    if (kept?.userId === userId) return kept.value;
  } catch {
    // It was cut off, or there is no storage: as good as nothing.
  }
  return null;
}

/** Keeps a value, or forgets it (null). @returns false if the browser has no room for it; then nothing is kept */
export function writeTab(name: string, userId: string, value: unknown): boolean {
  const key = `${PREFIX}${name}`;
  try {
    sessionStorage.removeItem(key);
    if (value !== null) sessionStorage.setItem(key, JSON.stringify({ userId, value } satisfies Kept));
    return true;
  } catch {
    return false;
  }
}

/** Forgets everything: for whoever signs out. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // A browser that allows no storage has kept nothing, and must not stop the way out.
  }
}
