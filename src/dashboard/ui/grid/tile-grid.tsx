import { UnstyledButton } from '@mantine/core';
import {
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { arrange, COLUMNS, fit, type Place, readingOrder } from './arrange.ts';
import css from './grid.module.css';

const ROW_PX = 56 + 12;

type Props<T extends Place> = {
  readonly tiles: readonly T[];
  readonly nameOf: (tile: T) => string;
  readonly children: (tile: T) => ReactNode;
  /** With it tiles can be moved and resized; called when a change is done. */
  readonly onArrange?: ((tiles: T[]) => void) | undefined;
};
type Kind = 'move' | 'resize';
type Drag = { readonly id: string; readonly kind: Kind; readonly dx: number; readonly dy: number };

/** Tiles in twelve columns. The mouse or the arrow keys move and resize them. */
export function TileGrid<T extends Place>({ tiles, nameOf, children, onArrange }: Props<T>): JSX.Element {
  const grid = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; y: number } | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [said, setSaid] = useState('');
  const shown = drag === null ? tiles : arrange(changed(tiles, drag), drag.id);
  const cellsOf = (event: PointerEvent): { dx: number; dy: number } => {
    const from = start.current ?? { x: event.clientX, y: event.clientY };
    const width = (grid.current?.clientWidth ?? COLUMNS) / COLUMNS;
    return {
      dx: Math.round((event.clientX - from.x) / width),
      dy: Math.round((event.clientY - from.y) / ROW_PX),
    };
  };
  const end = (): void => {
    if (drag !== null && (drag.dx !== 0 || drag.dy !== 0)) onArrange?.([...shown]);
    start.current = null;
    setDrag(null);
  };
  const handle = (tile: T, kind: Kind): JSX.Element => (
    <UnstyledButton
      className={kind === 'move' ? css.move : css.resize}
      aria-label={`${kind === 'move' ? 'Move' : 'Resize'} ${nameOf(tile)} with the arrow keys`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, y: event.clientY };
        setDrag({ id: tile.id, kind, dx: 0, dy: 0 });
      }}
      onPointerMove={(event) => {
        if (drag !== null && start.current !== null) setDrag({ ...drag, ...cellsOf(event) });
      }}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
      onKeyDown={(event) => {
        const step = stepOf(event);
        if (step === null) return;
        event.preventDefault();
        const next = arrange(changed(tiles, { id: tile.id, kind, ...step }), tile.id);
        const now = next.find(({ id }) => id === tile.id) ?? tile;
        setSaid(`${nameOf(tile)}: column ${now.x + 1}, row ${now.y + 1}, ${now.w} wide, ${now.h} high`);
        onArrange?.(next);
      }}
    />
  );
  return (
    <>
      <div className={css.grid} ref={grid}>
        {readingOrder(shown).map((tile) => (
          <div
            key={tile.id}
            className={`${css.cell} ${drag?.id === tile.id ? css.active : ''}`}
            style={
              {
                '--column': `${tile.x + 1} / span ${tile.w}`,
                '--row': `${tile.y + 1} / span ${tile.h}`,
                '--rows': tile.h,
              } as CSSProperties
            }
          >
            {children(tile)}
            {onArrange !== undefined && handle(tile, 'move')}
            {onArrange !== undefined && handle(tile, 'resize')}
          </div>
        ))}
      </div>
      <p role="status" className="sr">
        {said}
      </p>
    </>
  );
}

const changed = <T extends Place>(tiles: readonly T[], { id, kind, dx, dy }: Drag): T[] =>
  tiles.map((tile) =>
    tile.id !== id
      ? tile
      : fit(
          kind === 'move'
            ? { ...tile, x: tile.x + dx, y: tile.y + dy }
            : { ...tile, w: Math.min(tile.w + dx, COLUMNS - tile.x), h: tile.h + dy },
        ),
  );

const stepOf = ({ key }: KeyboardEvent): { dx: number; dy: number } | null => {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const [dx, dy] = steps[key] ?? [0, 0];
  return dx === 0 && dy === 0 ? null : { dx, dy };
};
