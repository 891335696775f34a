import type { Chunk } from '../scan/chunk.ts';

/** The places of some sessions' events in a chunk, ascending, by session; sessions without one are left out. */
export function sessionPlaces(chunk: Chunk, sessions: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  const wanted = new Set(chunk.likelyTexts('session_id', sessions));
  if (wanted.size === 0) return places;
  const texts = chunk.texts('session_id');
  const byCode = new Map<number, string>();
  for (const [i, text] of texts.strings.entries()) if (wanted.has(text)) byCode.set(i + 1, text);
  if (byCode.size === 0) return places;
  const { codes } = texts;
  const present = chunk.present();
  for (let place = 0; place < codes.length; place++) {
    const session = byCode.get(codes[place] as number);
    if (session === undefined || present[place] === 0) continue;
    const own = places.get(session);
    if (own === undefined) places.set(session, [place]);
    else own.push(place);
  }
  return places;
}
