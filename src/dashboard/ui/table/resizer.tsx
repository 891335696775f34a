import type { JSX, PointerEvent } from 'react';
import css from './table.module.css';

export type ResizeProps = {
  /** Undefined gives the column its own width back. */
  readonly onWidth: (width: number | undefined) => void;
};

const LEAST = 48;

/** The edge of a column's head: dragged it sets the width, double-clicked it resets it. For the pointer only. */
export function Resizer({ onWidth }: ResizeProps): JSX.Element {
  const begin = (event: PointerEvent<HTMLSpanElement>): void => {
    const cell = event.currentTarget.parentElement;
    if (cell === null) return;
    event.preventDefault();
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    const [from, width] = [event.clientX, cell.getBoundingClientRect().width];
    const move = (to: globalThis.PointerEvent): void =>
      onWidth(Math.max(LEAST, Math.round(width + to.clientX - from)));
    const end = (): void => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', end);
      handle.removeEventListener('pointercancel', end);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', end);
    handle.addEventListener('pointercancel', end);
  };
  return (
    <span
      className={css.resizer}
      aria-hidden="true"
      onPointerDown={begin}
      onDoubleClick={() => onWidth(undefined)}
    />
  );
}
