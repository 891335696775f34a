import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BuildArtifact } from 'bun';

/** A file of the dashboard as the browser gets it. */
export type Asset = {
  /** Path in the URL: the page itself is `index.html`, all others carry a hash of their content. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The content type of a file by its ending. */
export const typeOf = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const here = import.meta.dir;

/**
 * Bundles the browser's side: production React, minified, one chunk a page. Nothing is written to disk.
 * Throws when the bundler fails.
 */
export async function buildDashboard(): Promise<Asset[]> {
  const result = await Bun.build({
    entrypoints: [`${here}/main.tsx`],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    sourcemap: 'none',
    publicPath: '/assets/',
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: { runtime: 'automatic', development: false },
    throw: false,
  });
  if (!result.success) throw new Error(`The dashboard can not be built:\n${result.logs.join('\n')}`);
  // The entry's sheet holds all styles, those of pages that load later included; their own sheets are not asked for.
  const isStyle = ({ path }: BuildArtifact): boolean => path.endsWith('.css');
  const sheets = result.outputs.filter(isStyle);
  const whole = sheets.find(({ path }) => /(^|\/)main-[^/]*$/.test(path));
  const outputs = result.outputs.filter((output) => !isStyle(output) || output === whole);
  const assets = await Promise.all(
    outputs.map(async (output) => {
      const name = output.path.replace(/^.*\//, '');
      return { name, type: typeOf(name), bytes: new Uint8Array(await output.arrayBuffer()) };
    }),
  );
  const icon = await Bun.file(`${here}/icon.svg`).bytes();
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`;
  // Chunks of what pages share are called main too.
  const entry = outputs.findIndex(({ kind, path }) => kind === 'entry-point' && path.endsWith('.js'));
  const script = assets[entry];
  const style = assets.find(({ name }) => name.endsWith('.css'));
  const page = (await Bun.file(`${here}/index.html`).text())
    .replace('{{script}}', `/assets/${script?.name}`)
    .replace('{{style}}', `/assets/${style?.name}`)
    .replace('{{icon}}', `/assets/${iconName}`);
  return [
    { name: 'index.html', type: typeOf('index.html'), bytes: new TextEncoder().encode(page) },
    { name: iconName, type: typeOf(iconName), bytes: icon },
    ...assets,
  ];
}

/**
 * Compresses with brotli.
 * @param quality 0 to 11; 11, the default, is the smallest and takes seconds per megabyte
 */
export const compress = (bytes: Uint8Array, quality = 11): Uint8Array =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
