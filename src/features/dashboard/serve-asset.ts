import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { loadAssets, type StoredAsset } from './load-assets.ts';

type Coding = 'br' | 'gzip' | 'identity';
/** An asset in the codings that somebody has asked for so far. */
type Served = { readonly asset: StoredAsset; readonly codings: Map<Coding, Uint8Array<ArrayBuffer>> };

/** The files of the dashboard by name; read, or bundled, once, when first asked for. */
export type Assets = {
  find(name: string): Promise<Served | null>;
};

/** Files are found once one was asked for: a command that never serves a page reads none. */
export function createAssets(load = loadAssets): Assets {
  let loading: Promise<Map<string, Served>> | null = null;
  const all = async (): Promise<Map<string, Served>> =>
    new Map((await load()).map((asset) => [asset.name, { asset, codings: new Map() }]));
  return {
    find: async (name) => {
      loading ??= all();
      return (await loading).get(name) ?? null;
    },
  };
}

/** The bytes in the best coding that the request takes. */
export function encodeFor(
  request: Request,
  served: Served,
): { bytes: Uint8Array<ArrayBuffer>; coding: Coding } {
  const coding = chooseCoding(request.headers.get('accept-encoding') ?? '', served.asset.brotli);
  const bytes = served.codings.get(coding) ?? encode(served.asset, coding);
  served.codings.set(coding, bytes);
  return { bytes, coding };
}

/** RFC 9110, 12.5.3, as far as browsers use it: a list of names, where `q=0` refuses. */
function chooseCoding(accepted: string, brotli: boolean): Coding {
  const taken = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/, '').trim().toLowerCase());
  if (brotli && taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
}

function encode({ bytes, brotli }: StoredAsset, coding: Coding): Uint8Array<ArrayBuffer> {
  if (coding === 'br') return new Uint8Array(bytes);
  const plain = brotli ? brotliDecompressSync(bytes) : bytes;
  return new Uint8Array(coding === 'gzip' ? gzipSync(plain) : plain);
}
