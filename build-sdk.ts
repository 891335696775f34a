import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import manifest from './package.json' with { type: 'json' };
import { SDK_NAME_AND_VERSION } from './src/sdk/version.ts';

/**
 * Builds the published package: `bun run build:sdk [folder]`, by default in dist/npm. The package holds only the
 * client, so its manifest is generated: no dependencies, no scripts. The repository itself is private; publish
 * with `npm publish dist/npm`.
 */
const folder = process.argv[2] ?? 'dist/npm';
/** The client, and what has the detectors, for which only who imports it pays: guardrails and simulations. */
const CLIENT = ['src/sdk/index.ts'];
const CHECKS = ['src/sdk/guardrails.ts', 'src/sdk/simulations.ts'];

const fail = (message: string): never => {
  console.error(`build-sdk: ${message}`);
  process.exit(1);
};

if (!SDK_NAME_AND_VERSION.endsWith(`/${manifest.version}`)) {
  fail(`src/sdk/version.ts says ${SDK_NAME_AND_VERSION}, package.json ${manifest.version}`);
}

/** Where a file of `src` is in the package: files of the SDK at the top, others in their folder. */
const published = (name: string): string => name.replace(/^sdk\//, '');

/** Declarations by published name, with the paths and extensions that they have when published. */
const makeTypes = async (): Promise<Map<string, string>> => {
  const out = await mkdtemp(join(tmpdir(), 'spanledger-types-'));
  const flags = '--ignoreConfig --target esnext --module preserve --moduleResolution bundler --strict';
  const emit = '--allowImportingTsExtensions --declaration --emitDeclarationOnly --types bun-types';
  const tsc = Bun.spawnSync([
    process.execPath,
    'x',
    'tsc',
    ...`${flags} ${emit}`.split(' '),
    ...['--rootDir', 'src', '--outDir', out, ...CLIENT, ...CHECKS],
  ]);
  if (tsc.exitCode !== 0) fail(`tsc: ${tsc.stdout}${tsc.stderr}`);
  const types = new Map<string, string>();
  const visit = async (name: string): Promise<void> => {
    if (types.has(published(name))) return;
    const text = await Bun.file(join(out, `${name}.d.ts`)).text();
    const imported: string[] = [];
    const rewritten = text.replaceAll(/(?<=from ')(\.[\w./-]+)\.ts(?=')/g, (_, specifier: string) => {
      const target = join(dirname(name), specifier);
      imported.push(target);
      const path = relative(dirname(published(name)), published(target));
      return `${path.startsWith('.') ? '' : './'}${path}.js`;
    });
    types.set(published(name), rewritten);
    for (const next of imported) await visit(next);
  };
  // The package contains only what the entries reach.
  await visit('sdk/index');
  await visit('sdk/guardrails');
  await visit('sdk/simulations');
  await rm(out, { recursive: true });
  return types;
};

const bundle = async (format: 'esm' | 'cjs', entrypoints: string[]): Promise<void> => {
  const { success, logs } = await Bun.build({
    entrypoints,
    // The detectors once, where the format allows it.
    splitting: format === 'esm',
    root: 'src/sdk',
    outdir: join(folder, format),
    format,
    target: 'browser',
    // Names stay, for stack traces. So do the lines of the client: Node prints the one that threw when a process
    // crashes, and after a flush that is one of the client.
    minify: { whitespace: entrypoints !== CLIENT, syntax: true, identifiers: false },
    throw: false,
  });
  if (!success) fail(logs.join('\n'));
};

/** The README of the package: the section of the README about the client. */
const readme = async (): Promise<string> => {
  const [, section] =
    (await Bun.file('README.md').text()).match(/^## From TypeScript\n([\s\S]*?)(?=^## )/m) ?? [];
  return `# Spanledger\n${section ?? fail('README.md has no section "From TypeScript"')}`;
};

const publicManifest = {
  name: manifest.name,
  version: manifest.version,
  description: 'Records the calls that your TypeScript makes to language models in Spanledger.',
  license: manifest.license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: {
    './sdk': {
      import: { types: './esm/index.d.ts', default: './esm/index.js' },
      require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
    },
    './guardrails': {
      import: { types: './esm/guardrails.d.ts', default: './esm/guardrails.js' },
      require: { types: './cjs/guardrails.d.ts', default: './cjs/guardrails.js' },
    },
    './simulations': {
      import: { types: './esm/simulations.d.ts', default: './esm/simulations.js' },
      require: { types: './cjs/simulations.d.ts', default: './cjs/simulations.js' },
    },
    './package.json': './package.json',
  },
  files: ['esm', 'cjs'],
  // Only for whoever passes it as an option; the client itself never loads it.
  peerDependencies: { '@opentelemetry/api': '^1.0.0' },
  peerDependenciesMeta: { '@opentelemetry/api': { optional: true } },
};

await rm(folder, { recursive: true, force: true });
for (const entries of [CLIENT, CHECKS]) {
  await bundle('esm', entries);
  await bundle('cjs', entries);
}
const types = await makeTypes();
for (const format of ['esm', 'cjs']) {
  for (const [name, text] of types) await Bun.write(join(folder, format, `${name}.d.ts`), text);
}
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
await Bun.write(join(folder, 'cjs/package.json'), json({ type: 'commonjs' }));
await Bun.write(join(folder, 'package.json'), json(publicManifest));
await Bun.write(join(folder, 'README.md'), await readme());
await Bun.write(join(folder, 'LICENSE'), Bun.file('LICENSE'));
console.error(
  `${folder}  ${(Bun.file(join(folder, 'esm/index.js')).size / 1e3).toFixed(0)} kB  ${manifest.version}`,
);
