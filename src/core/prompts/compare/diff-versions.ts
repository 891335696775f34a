import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import {
  contentKey,
  type LoadedVersion,
  loadContents,
  loadPrompts,
  versionAt,
} from '../compile/load-versions.ts';
import type { PromptDiff } from './contract.ts';
import { diffLines } from './diff-lines.ts';

type Asked = { readonly name: string; readonly from: string; readonly to: string };

/** Compares two versions by number or label. Throws AppError 404. */
export async function diffVersions(
  ctx: Ctx,
  projectId: string,
  { name, from, to }: Asked,
): Promise<PromptDiff> {
  const prompt = (await loadPrompts(ctx, projectId, [name])).get(name);
  if (prompt === undefined) throw notFound(`There is no prompt ${name}`);
  const [before, after] = [from, to].map((at) => {
    const version = versionAt(prompt, at);
    if (version === null) throw notFound(`${name} has no label ${at}`);
    return version;
  }) as [number, number];
  const contents = await loadContents(ctx, [
    { promptId: prompt.id, version: before },
    { promptId: prompt.id, version: after },
  ]);
  const [a, b] = [before, after].map((version) => {
    const content = contents.get(contentKey(prompt.id, version));
    if (content === undefined) throw notFound(`${name} has no version ${version}`);
    return partsOf(content);
  }) as [Map<string, string>, Map<string, string>];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const parts = names.map((part) => ({
    name: part,
    lines: diffLines(a.get(part) ?? '', b.get(part) ?? '', names.length),
  }));
  const isSame = parts.every(({ lines }) => lines.every(({ kind }) => kind === 'same'));
  return { from: before, to: after, isSame, parts };
}

function partsOf({ template, messages, config }: LoadedVersion): Map<string, string> {
  const texts =
    template === null
      ? (messages ?? []).map(({ role, content }, i) => [`${i + 1} ${role}`, content] as const)
      : [['template', template] as const];
  return new Map([...texts, ['config', JSON.stringify(sorted(config), null, 2)]]);
}

/** The same order of keys in both versions, so that only what changed differs. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
