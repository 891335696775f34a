import { useEffect, useRef } from 'react';

/** Gives the focus back to where it was when the component came, if that is still there when it goes. */
export function useReturnFocus(): void {
  const before = useRef(document.activeElement);
  useEffect(() => {
    const { current } = before;
    return () => {
      if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true });
    };
  }, []);
}

/** Ref of an element that takes the focus when it comes; the focus goes back when it goes. */
export function takeFocus(element: HTMLElement | null): (() => void) | undefined {
  const before = document.activeElement;
  element?.focus({ preventScroll: true });
  return () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
}
