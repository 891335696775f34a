import type { Selection, Window } from '../../../selection.ts';
import type { Chunk } from './chunk.ts';
import { matchesOf } from './match.ts';
import { FEW, pickPlaces } from './pick-places.ts';

/** Columns of events, and which of them are selected: 1 per place. */
export type Selected = { readonly columns: Columns; readonly mask: Uint8Array };
export type Columns = Pick<Chunk, 'events' | 'first' | 'last' | 'numbers' | 'bytes' | 'texts'>;

/** The matching events of a chunk; null if there are none. If they are few, the columns contain only them. */
export function selectEvents(chunk: Chunk, selection: Selection, window: Window): Selected | null {
  const mask = matchesOf(chunk, selection, window);
  if (mask === null) return null;
  const places = placesOf(mask, chunk.events / FEW);
  if (places === null) return { columns: chunk, mask };
  const { first, last } = chunk;
  const columns = {
    events: places.length,
    first,
    last,
    ...pickPlaces(chunk, places),
    texts: textsAt(chunk, places),
  };
  return { columns, mask: new Uint8Array(places.length).fill(1) };
}

/** The places with 1; null if they are more than `most`. */
function placesOf(mask: Uint8Array, most: number): number[] | null {
  const places: number[] = [];
  for (let place = mask.indexOf(1); place !== -1; place = mask.indexOf(1, place + 1))
    if (places.push(place) > most) return null;
  return places;
}

const textsAt =
  (chunk: Chunk, places: readonly number[]): Columns['texts'] =>
  (column) => {
    const texts = chunk.texts(column);
    const { codes } = texts;
    return {
      codes: Uint32Array.from(places, (place) => codes[place] as number),
      get strings() {
        return texts.strings;
      },
      at: texts.at,
      codeOf: texts.codeOf,
    };
  };
