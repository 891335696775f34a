import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createClient } from '@libsql/client';
import { waitForUpdate } from '@pydantic/genai-prices';
import type { BunPlugin } from 'bun';
import { buildDashboard, compress as compressTo } from './src/dashboard/build.ts';

/** The native driver that each target embeds. Building for a target requires it to be installed. */
const drivers = {
  'bun-linux-x64': '@libsql/linux-x64-gnu',
  'bun-linux-x64-baseline': '@libsql/linux-x64-gnu',
  'bun-linux-x64-musl': '@libsql/linux-x64-musl',
  'bun-linux-arm64': '@libsql/linux-arm64-gnu',
  'bun-linux-arm64-musl': '@libsql/linux-arm64-musl',
  'bun-darwin-x64': '@libsql/darwin-x64',
  'bun-darwin-arm64': '@libsql/darwin-arm64',
} as const;
type Target = keyof typeof drivers;

const isTarget = (name: string): name is Target => name in drivers;

const hostTarget = `bun-${process.platform}-${process.arch}`;

const { values: flags } = parseArgs({
  options: {
    target: { type: 'string', default: hostTarget },
    outfile: { type: 'string' },
    // For tests: the files that browsers load are compressed less, which takes a fifth of the time.
    fast: { type: 'boolean', default: false },
  },
});

const compress = (bytes: Uint8Array): Uint8Array => compressTo(bytes, flags.fast ? 1 : 11);

const fail = (message: string): never => {
  console.error(`build: ${message}`);
  process.exit(1);
};

const target = isTarget(flags.target)
  ? flags.target
  : fail(`unknown target ${flags.target}; known: ${Object.keys(drivers).join(', ')}`);
const suffix = target === hostTarget ? '' : target.replace('bun', '');
const outfile = flags.outfile ?? `dist/spanledger${suffix}`;
const driver = drivers[target];
if (!existsSync(`node_modules/${driver}`)) fail(`${driver} is not installed`);

let replaced = 0;
let thinned = 0;

/**
 * libsql picks its native package by a computed name, after reading a report of the whole process. A bundler cannot
 * follow that, and the package does not exist where the binary runs (oven-sh/bun#18909).
 */
const embedDriver: BunPlugin = {
  name: 'embed-driver',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const contents = source
        .replace(/const \{[^}]*\} = require\("(@neon-rs\/load|detect-libc)"\);/g, '')
        .replace(
          /function requireNative\(\) \{[\s\S]*?\n\}/,
          `const requireNative = () => require('${driver}');`,
        );
      if (contents.includes('detect-libc') || !contents.includes('const requireNative ='))
        return { contents: source };
      replaced++;
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Zod keeps for each schema the one that it was derived from, to inherit a description. A third of all schemas in
 * memory exist only for that, and most of them have no description.
 */
const forgetParents: BunPlugin = {
  name: 'forget-parents',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]util\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const contents = source.replace(
        'if (!def || params?.parent)',
        'if ((!def || params?.parent) && (inst._zod.parent || globalThis.__zod_globalRegistry.has(inst)))',
      );
      if (contents !== source) thinned++;
      return { contents, loader: 'js' };
    });
  },
};

/**
 * The price catalogue is a literal of half a megabyte, plus the same again when compiled. Compressed and parsed on
 * demand, it takes a tenth of that.
 */
const embedPrices = async (): Promise<BunPlugin> => {
  const prices = await waitForUpdate();
  if (!Array.isArray(prices) || !isDeepStrictEqual(JSON.parse(JSON.stringify(prices)), prices)) {
    fail('the price catalogue is no longer plain data');
  }
  const file = resolve('dist/prices.json.br');
  await writeFile(file, compress(new TextEncoder().encode(JSON.stringify(prices))));
  const contents = `import file from ${JSON.stringify(file)} with { type: 'file' };
    import { readFileSync } from 'node:fs';
    import { brotliDecompressSync } from 'node:zlib';
    let providers;
    export const builtInProviders = () =>
      (providers ??= JSON.parse(brotliDecompressSync(readFileSync(file)).toString()));`;
  return {
    name: 'embed-prices',
    setup: (build) => {
      const filter = /[\\/]pricing[\\/]built-in-providers\.ts$/;
      build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    },
  };
};

/**
 * Embeds a rarely used library as compressed source that is compiled on first import. Its compiled code would
 * take four times as much space.
 * @param entry the module that stands for the library in the sources; it selects the exports that are used
 */
const embedLibrary = async (name: string, entry: string): Promise<BunPlugin> => {
  const bundled = await Bun.build({ entrypoints: [entry], target: 'node', format: 'cjs', minify: true });
  const code = await bundled.outputs[0]?.arrayBuffer();
  const file = resolve(`dist/${name}.js.br`);
  await writeFile(file, compress(new Uint8Array(code ?? fail(`${name} could not be bundled`))));
  const contents = `import file from ${JSON.stringify(file)} with { type: 'file' };
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    import { brotliDecompressSync } from 'node:zlib';
    const code = brotliDecompressSync(readFileSync(file)).toString();
    const module = { exports: {} };
    new Function('module', 'exports', 'require', code)(module, module.exports, createRequire('/'));
    ${await exportsOf(entry)}`;
  return {
    name: `embed-${name}`,
    setup: (build) => {
      build.onLoad({ filter: new RegExp(`${RegExp.escape(entry)}$`) }, () => ({ contents, loader: 'js' }));
    },
  };
};

/** Re-exports the bundled module by name. */
const exportsOf = async (entry: string): Promise<string> =>
  new Bun.Transpiler({ loader: 'ts' })
    .scan(await Bun.file(entry).text())
    .exports.map((name) =>
      name === 'default'
        ? 'export default module.exports.default;'
        : `export const ${name} = module.exports.${name};`,
    )
    .join('\n');

/** Output folder of the dashboard's files, from which the bundler embeds them. */
const DASHBOARD_FOLDER = 'dist/dashboard';

/** Bundles and compresses the dashboard; returns the plugin for the module that reads it in the binary. */
const embedDashboard = async (): Promise<BunPlugin> => {
  await rm(DASHBOARD_FOLDER, { recursive: true, force: true });
  await mkdir(DASHBOARD_FOLDER, { recursive: true });
  const imports: string[] = [];
  const entries: string[] = [];
  const sizes = { js: 0, css: 0 };
  for (const { name, type, bytes } of await buildDashboard()) {
    // The server fills in the page for each reply, so it stays uncompressed.
    const brotli = name !== 'index.html';
    const stored = brotli ? compress(bytes) : bytes;
    const file = resolve(DASHBOARD_FOLDER, brotli ? `${name}.br` : name);
    await writeFile(file, stored);
    if (name.endsWith('.js')) sizes.js += stored.length;
    if (name.endsWith('.css')) sizes.css += stored.length;
    imports.push(`import f${entries.length} from ${JSON.stringify(file)} with { type: 'file' };`);
    entries.push(`{ name: '${name}', type: '${type}', brotli: ${brotli}, path: f${entries.length} }`);
  }
  console.error(
    `dashboard  ${Math.round(sizes.js / 1000)} kB of scripts, ${Math.round(sizes.css / 1000)} kB of styles (brotli, all pages)`,
  );
  const contents = `${imports.join('\n')}
    const files = [${entries.join(', ')}];
    export const loadAssets = () => Promise.all(files.map(async ({ path, ...file }) =>
      ({ ...file, bytes: await Bun.file(path).bytes() })));`;
  return {
    name: 'embed-dashboard',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]features[\\/]dashboard[\\/]load-assets\.ts$/ }, () => ({
        contents,
        loader: 'js',
      }));
    },
  };
};

/** Compresses the assets of the API reference; returns the plugin for the module that reads them in the binary. */
const embedDocs = async (): Promise<BunPlugin> => {
  const names = ['swagger-ui-bundle.js', 'swagger-ui.css'];
  const files = await Promise.all(
    names.map(async (name) => {
      const path = Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir);
      const file = resolve(`dist/${name}.br`);
      await writeFile(file, compress(await Bun.file(path).bytes()));
      return file;
    }),
  );
  const contents = `${files.map((file, i) => `import f${i} from ${JSON.stringify(file)} with { type: 'file' };`).join('\n')}
    const paths = { ${names.map((name, i) => `'${name}': f${i}`).join(', ')} };
    export const loadFile = async (name) => ({ bytes: await Bun.file(paths[name]).bytes(), brotli: true });`;
  return {
    name: 'embed-docs',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]features[\\/]docs[\\/]load-file\.ts$/ }, () => ({
        contents,
        loader: 'js',
      }));
    },
  };
};

const commit = (): string => {
  const { stdout, exitCode } = Bun.spawnSync(['git', 'rev-parse', '--short=12', 'HEAD']);
  return exitCode === 0 ? stdout.toString().trim() : 'unknown';
};

const sqliteVersion = async (): Promise<string> => {
  const client = createClient({ url: 'file::memory:' });
  const { rows } = await client.execute('SELECT sqlite_version() AS version');
  client.close();
  return String(rows[0]?.version);
};

const result = await Bun.build({
  entrypoints: [
    'cli/main.ts',
    'src/writer-thread.ts',
    'src/work-thread.ts',
    'src/db/remote/wire-thread.ts',
    'cli/sql/parent-watch.ts',
  ],
  // Flat names, because import.meta.url is flat in the binary too. A file that starts a worker with
  // new URL('./writer-thread.ts', import.meta.url) then finds it there as well.
  naming: { entry: '[name].[ext]' },
  target: 'bun',
  format: 'esm',
  // Function names stay, so that stack traces are readable without megabytes of source maps.
  minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
  bytecode: true,
  // Code shared by the main program and the writer thread is embedded once.
  splitting: true,
  sourcemap: 'none',
  define: {
    BUILD_COMMIT: JSON.stringify(commit()),
    BUILD_SQLITE: JSON.stringify(await sqliteVersion()),
    'process.env.NODE_ENV': '"production"',
    // Libraries that ask for their own folder would embed the one of this build; it does not exist where the binary runs.
    __dirname: '"/"',
  },
  plugins: [
    embedDriver,
    forgetParents,
    await embedDashboard(),
    await embedDocs(),
    await embedPrices(),
    await embedLibrary('nodemailer', Bun.resolveSync('nodemailer', import.meta.dir)),
    await embedLibrary('better-auth', resolve('src/core/auth/sign-in/better-auth.ts')),
    await embedLibrary('openid-client', resolve('src/core/auth/oauth/openid.ts')),
    await embedLibrary('models', resolve('src/core/models/providers.ts')),
    await embedLibrary('webauthn', resolve('src/core/auth/passkeys/webauthn.ts')),
  ],
  compile: {
    outfile,
    ...(target === hostTarget ? {} : { target }),
    // A binary must not read settings or code from its working directory.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  throw: false,
});
for (const log of result.logs) console.error(log);
if (!result.success) fail('the bundler failed');

if (replaced === 0) {
  await rm(outfile, { force: true });
  fail('libsql no longer loads its driver as expected: nothing was replaced');
}
if (thinned === 0) {
  await rm(outfile, { force: true });
  fail('zod no longer derives schemas as expected: nothing was replaced');
}
const megabytes = (Bun.file(outfile).size / 1e6).toFixed(1);
console.error(`${outfile}  ${megabytes} MB  ${target}`);
