import style from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };

/** A file of Swagger UI; `brotli` says whether the bytes are compressed. */
export type DocsFile = { readonly bytes: Uint8Array<ArrayBuffer>; readonly brotli: boolean };

const paths: Readonly<Record<string, unknown>> = { 'swagger-ui-bundle.js': script, 'swagger-ui.css': style };

/**
 * Reads a file of the package when running from source. The build script replaces this `loadFile` with one that reads
 * the compressed file embedded in the binary.
 */
export async function loadFile(name: string): Promise<DocsFile> {
  return { bytes: await Bun.file(String(paths[name])).bytes(), brotli: false };
}
