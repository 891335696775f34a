import { type RefObject, useEffect } from 'react';

/** The element, or one around it, that does something of its own. */
const ACTS = 'a, button, input, select, textarea, label, summary, [role="button"]';

/**
 * A click anywhere in a row is one on its link, which has the class `row-link`: also with the middle button or a key
 * for a new tab. Text that is being selected, and what acts by itself, is left alone.
 */
function openRow(event: MouseEvent): void {
  if (event.button > 1 || event.defaultPrevented || !(event.target instanceof Element)) return;
  if (event.target.closest(ACTS) !== null || getSelection()?.isCollapsed === false) return;
  const link = event.target.closest('tr, [role="row"]')?.querySelector<HTMLAnchorElement>('a.row-link');
  if (!link) return;
  if (event.button === 1 || event.metaKey || event.ctrlKey || event.shiftKey)
    window.open(link.href, '_blank', 'noopener');
  else link.click();
}

/** Rows of an element open by a click anywhere in them. For the pointer; their links work from the keyboard. */
export function useOpenRows(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    element?.addEventListener('click', openRow);
    element?.addEventListener('auxclick', openRow);
    return () => {
      element?.removeEventListener('click', openRow);
      element?.removeEventListener('auxclick', openRow);
    };
  }, [list]);
}
