/** The palette is fetched after the page: who asks for it before that gets it as soon as it is there. */
let open: (() => void) | null = null;
let isAwaited = false;

export const openPalette = (): void => {
  if (open === null) isAwaited = true;
  else open();
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
