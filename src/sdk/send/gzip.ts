import { builtinModule, importBuiltin } from '../runtime.ts';

type Zlib = {
  gzip(bytes: Uint8Array, done: (error: Error | null, result: Uint8Array<ArrayBuffer>) => void): void;
};

const ZLIB = 'node:zlib';

const compressStream = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

const compressNode = (bytes: Uint8Array, zlib: Zlib): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    zlib.gzip(bytes, (error, result) => (error === null ? resolve(result) : reject(error)));
  });

/** Compresses to gzip (RFC 1952); null if the runtime cannot. */
export const gzip = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> => {
  try {
    if (typeof CompressionStream === 'function') return await compressStream(bytes);
    const zlib = builtinModule<Zlib>(ZLIB) ?? (await importBuiltin<Zlib>(ZLIB));
    return zlib === undefined ? null : await compressNode(bytes, zlib);
  } catch {
    return null;
  }
};
