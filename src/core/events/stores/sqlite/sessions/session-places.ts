import type { Chunk } from '../scan/chunk.ts';

/** The places of some sessions' events in a chunk, ascending, by session; sessions without one are left out. */
export function sessionPlaces(chunk: Chunk, sessions: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  const likely = chunk.likelyTexts('session_id', sessions);
  if (likely.length === 0) return places;
  const texts = chunk.texts('session_id');
  const byCode = new Map(likely.map((text) => [texts.codeOf(text), text]));
  byCode.delete(0);
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
