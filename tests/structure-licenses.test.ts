import { expect, test } from 'bun:test';
import { isPermissive, listParts, toCycloneDx } from '../build-sbom.ts';

const parts = await listParts();

test('every package of the binary has a permissive licence', () => {
  const others = parts.filter(({ license }) => !isPermissive(license));
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  expect(parts.length).toBeGreaterThan(100);
});

test('a licence counts if one of its alternatives, or all of its parts, are permissive', () => {
  expect(['MIT', '(GPL-3.0 OR MIT)', 'MIT AND ISC'].map(isPermissive)).toEqual([true, true, true]);
  const refused = ['GPL-3.0', 'MIT AND GPL-3.0', 'none', 'UNLICENSED', 'SEE LICENSE IN LICENSE', ''];
  expect(refused.filter(isPermissive)).toEqual([]);
});

test('the bill of materials has every package with its checksum, and names only what it lists', () => {
  type Bom = {
    components: { 'bom-ref': string; hashes?: { content: string }[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const own = { name: 'spanledger', version: '1.0.0', license: 'MIT' };
  const bom = toCycloneDx(own, parts) as Bom;
  const refs = new Set(bom.components.map((component) => component['bom-ref']));
  expect(refs.size).toBe(parts.length + 1);
  expect([...refs].filter((ref) => /^(zod|hono|bun)@\d/.test(ref))).toHaveLength(3);
  const named = bom.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
  const sums = bom.components.flatMap(({ hashes = [] }) => hashes.map(({ content }) => content));
  expect(sums.filter((sum) => !/^[0-9a-f]{128}$/.test(sum))).toEqual([]);
  expect(JSON.stringify(toCycloneDx(own, parts))).toBe(JSON.stringify(bom));
});
