// `bun run release [--target NAME …] [--out FOLDER] [--fast]` writes what a release has: a binary for each target, a Debian
// package for those of Debian, bill of materials, licences, manual page, and checksums of all. A commit gives the same bytes.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listParts, type Part, toCycloneDx } from '../../build-sbom.ts';
import { license, name, version } from '../../package.json';
import { buildDebianPackage } from './debian-package.ts';
import { manPage } from './man-page.ts';

/** Targets of `build.ts`, with the architecture of their Debian package. */
const TARGETS: Readonly<Record<string, 'amd64' | 'arm64' | null>> = {
  'bun-linux-x64': 'amd64',
  'bun-linux-arm64': 'arm64',
  'bun-linux-x64-musl': null,
  'bun-linux-arm64-musl': null,
  'bun-darwin-x64': null,
  'bun-darwin-arm64': null,
};

const { values: flags } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: Object.keys(TARGETS) },
    out: { type: 'string', default: 'dist/release' },
    fast: { type: 'boolean', default: false },
  },
});

const root = join(import.meta.dir, '../..');
const out = resolve(flags.out);

function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: root });
  if (exitCode === 0) return stdout.toString().trim();
  console.error(`release: ${command.join(' ')} failed\n${stderr.toString()}`);
  process.exit(1);
}

/** The texts of the licences of all packages, which their terms ask for. */
const licenceTexts = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      const folder = join(root, 'node_modules', part.name);
      const files = existsSync(folder) ? readdirSync(folder) : [];
      const texts = files.filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
      const body = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
      return `${part.name} ${part.version} (${part.license})\n\n${body || 'See the licence named above.'}`;
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const epoch = Number(run(['git', 'log', '-1', '--format=%ct']));
const bun = process.execPath;
for (const target of flags.target) {
  const architecture = TARGETS[target];
  if (architecture === undefined) {
    console.error(`release: unknown target ${target}; known: ${Object.keys(TARGETS).join(', ')}`);
    process.exit(1);
  }
  const binary = join(out, `${name}-${version}-${target.replace('bun-', '')}`);
  run([bun, 'build.ts', '--target', target, '--outfile', binary, ...(flags.fast ? ['--fast'] : [])]);
  if (architecture !== null) {
    const to = join(out, `${name}_${version}_${architecture}.deb`);
    buildDebianPackage({ binary, version, architecture, to, epoch, compression: flags.fast ? 'none' : 'xz' });
  }
  console.error(`release: ${basename(binary)}`);
}
const parts = await listParts();
writeFileSync(
  join(out, `${name}.cdx.json`),
  `${JSON.stringify(toCycloneDx({ name, version, license }, parts), null, 2)}\n`,
);
writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), `${licenceTexts(parts)}\n`);
writeFileSync(join(out, `${name}.1`), manPage());
const sums = readdirSync(out)
  .sort()
  .map(
    (file) =>
      `${new Bun.CryptoHasher('sha256').update(readFileSync(join(out, file))).digest('hex')}  ${file}\n`,
  );
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
console.error(`release: ${out}`);
