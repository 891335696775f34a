/** The palette is fetched when it is first asked for, and opens as soon as it is there. */
let open: (() => void) | null = null;
let fetchIt: (() => void) | null = null;
let isAwaited = false;

export const openPalette = (): void => {
  isAwaited = open === null;
  (open ?? fetchIt)?.();
};

/** @returns what ends the listening */
export const onOpenPalette = (listener: () => void): (() => void) => {
  open = listener;
  if (isAwaited) listener();
  isAwaited = false;
  return () => {
    open = null;
  };
};

/** For what brings the palette into the page. @returns what ends the listening */
export const onPaletteWanted = (listener: () => void): (() => void) => {
  fetchIt = listener;
  return () => {
    fetchIt = null;
  };
};
