import style from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };

/** A file of Swagger UI: as it is, or compressed by brotli where `brotli` says so. */
export type DocsFile = { readonly bytes: Uint8Array<ArrayBuffer>; readonly brotli: boolean };

const paths: Readonly<Record<string, unknown>> = { 'swagger-ui-bundle.js': script, 'swagger-ui.css': style };

/**
 * Reads a file of the package, when running from source. The build script puts another `loadFile` in the
 * place of this one, which reads the compressed file that is embedded in the binary.
 */
export async function loadFile(name: string): Promise<DocsFile> {
  return { bytes: await Bun.file(String(paths[name])).bytes(), brotli: false };
}
