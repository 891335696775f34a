/** The palette is fetched after the page; until then nobody listens. */
const EVENT = 'spanledger.palette';

export const openPalette = (): void => void window.dispatchEvent(new Event(EVENT));

/** @returns what ends the listening */
export const onOpenPalette = (listener: () => void): (() => void) => {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
};
