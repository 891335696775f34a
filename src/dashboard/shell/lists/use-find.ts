import { type RefObject, useEffect, useState } from 'react';

/** What draws only the rows in sight has this attribute. */
const PARTIAL = '[data-partial]';

/**
 * Where only the rows in sight are drawn, Ctrl+F goes to the list's own search, because the browser would find those
 * rows only. Pressed again there, it opens the browser's search.
 * @returns whether it was pressed, so that the page says why
 */
export function useFind(box: RefObject<HTMLInputElement | null>): boolean {
  const [wasAsked, setWasAsked] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key !== 'f') return;
      if (document.querySelector(PARTIAL) === null || document.querySelector('[role=dialog]') !== null)
        return;
      setWasAsked(true);
      if (box.current === null || document.activeElement === box.current) return;
      event.preventDefault();
      box.current.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [box]);
  return wasAsked;
}
