// `bun run build:sbom` writes dist/spanledger.cdx.json: the packages that the binary contains, as CycloneDX 1.6. The same
// lockfile gives the same bytes.
import { existsSync, mkdirSync } from 'node:fs';
import { z } from 'zod';

/** A package of the binary, as the lockfile and its own package.json state it. */
export type Part = {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** `sha512-` and base64, as in the lockfile. */
  readonly integrity: string;
  readonly dependsOn: readonly string[];
};

/** Licences that demand no more than their text and the names of the authors. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });
const ownSchema = packageSchema.extend({ dependencies: z.record(z.string(), z.string()) });
const names = z.record(z.string(), z.string()).default({});
const needs = z.object({
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  optionalPeers: z.array(z.string()).default([]),
});
/** `name@version`, registry, what it needs, integrity. */
const locked = z.tuple([z.string(), z.string(), needs, z.string()]);
const lockSchema = z.object({ packages: z.record(z.string(), z.unknown()) });

const root = import.meta.dir;
const readJson = async (path: string): Promise<unknown> => JSON.parse(await Bun.file(path).text());

/** `a/@b/c` of the lockfile is the package `@b/c` below `a`. */
const namesOf = (key: string): string[] => key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

/** Whether a licence is permissive: of alternatives one suffices, of several at once all must be. */
export const isPermissive = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((id) => PERMISSIVE.has(id.trim())));

/** The packages that the production dependencies lead to, by name; those for other platforms are left out. */
export async function listParts(): Promise<Part[]> {
  const { dependencies } = ownSchema.parse(await readJson(`${root}/package.json`));
  const { packages } = lockSchema.parse(Bun.JSONC.parse(await Bun.file(`${root}/bun.lock`).text()));
  const parts = new Map<string, Part>();

  /** The key of what a package gets for a name: its own copy, or that of what surrounds it. */
  function keyFor(from: readonly string[], name: string): string | null {
    for (let depth = from.length; depth >= 0; depth--) {
      const key = [...from.slice(0, depth), name].join('/');
      if (key in packages) return key;
    }
    return null;
  }

  async function visit(key: string): Promise<string | null> {
    const path = namesOf(key);
    const file = `${root}/node_modules/${path.join('/node_modules/')}/package.json`;
    const [id, , needed, integrity] = locked.parse(packages[key]);
    if (parts.has(key)) return id;
    if (!existsSync(file)) return null;
    const { name, version, license = 'none' } = packageSchema.parse(await readJson(file));
    const dependsOn: string[] = [];
    parts.set(key, { name, version, license, integrity, dependsOn });
    const { dependencies: own, optionalDependencies, peerDependencies, optionalPeers } = needed;
    const peers = Object.keys(peerDependencies).filter((peer) => !optionalPeers.includes(peer));
    for (const wanted of new Set([...Object.keys({ ...own, ...optionalDependencies }), ...peers])) {
      const found = keyFor(path, wanted);
      const used = found === null ? null : await visit(found);
      if (used !== null) dependsOn.push(used);
    }
    return id;
  }

  for (const name of Object.keys(dependencies)) {
    if ((await visit(name)) === null)
      throw new Error(`${name} is not installed: bun install --frozen-lockfile`);
  }
  // A package can be in the lockfile at several places.
  const unique = new Map([...parts.values()].map((part) => [refOf(part), part]));
  return [...unique.values()].sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
}

const refOf = ({ name, version }: Pick<Part, 'name' | 'version'>): string => `${name}@${version}`;

/** The bill of materials of the parts, and of Bun, which runs them (CycloneDX 1.6, JSON). */
export function toCycloneDx(
  own: { readonly name: string; readonly version: string; readonly license?: string | undefined },
  parts: readonly Part[],
): object {
  const bun = { name: 'bun', version: Bun.version };
  const components = parts.map(({ name, version, license, integrity }) => ({
    type: 'library',
    'bom-ref': refOf({ name, version }),
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
  }));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': refOf(own),
        name: own.name,
        version: own.version,
        licenses: [{ license: { id: own.license } }],
      },
    },
    components: [
      ...components,
      { type: 'platform', 'bom-ref': refOf(bun), ...bun, licenses: [{ license: { id: 'MIT' } }] },
    ],
    dependencies: [
      { ref: refOf(own), dependsOn: [...parts.map(refOf), refOf(bun)] },
      ...parts.map((part) => ({ ref: refOf(part), dependsOn: [...new Set(part.dependsOn)].sort() })),
    ],
  };
}

if (import.meta.main) {
  const own = packageSchema.parse(await readJson(`${root}/package.json`));
  const parts = await listParts();
  mkdirSync(`${root}/dist`, { recursive: true });
  const path = `${root}/dist/spanledger.cdx.json`;
  await Bun.write(path, `${JSON.stringify(toCycloneDx(own, parts), null, 2)}\n`);
  console.log(`${path}: ${parts.length} packages`);
}
