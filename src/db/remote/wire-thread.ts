import { serveWire } from './serve-wire.ts';
import type { OpenWire } from './wire.ts';

// Entry of the thread on which the client of a libSQL server runs; see wire.ts.
const scope = globalThis as unknown as { onmessage: unknown };
scope.onmessage = ({ data }: MessageEvent<OpenWire>) => serveWire(data);
