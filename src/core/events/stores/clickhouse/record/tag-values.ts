import { OTHER } from '../../../metrics.ts';
import type { Engine } from '../engine/engine.ts';
import { ints, sql } from '../engine/sql.ts';
import { tagText } from '../rows/to-row.ts';
import type { NewTagValue } from './entry.ts';

/** Most values of a tag of a project that are told apart; calls with later ones are summed as `OTHER`. */
export const MAX_TAG_VALUES = 1_000;

type Values = Map<string, Set<string>>;

/** The values of tags that are told apart, by project. */
export type TagValues = {
  /** Reads those of a project, if they are not known. */
  load(project: number): Promise<void>;
  /** The texts of tags as they are told apart, and which of them are new. Only after `load`. */
  textsOf(
    project: number,
    tags: Readonly<Record<string, unknown>> | null,
  ): { readonly texts: Record<string, string>; readonly added: readonly NewTagValue[] };
  /** Forgets those of a project. */
  forget(project: number): void;
};

export function createTagValues(engine: Engine): TagValues {
  const known = new Map<number, Values>();
  return {
    async load(project) {
      if (!known.has(project)) known.set(project, await readTagValues(engine, project));
    },
    textsOf(project, tags) {
      const texts: Record<string, string> = {};
      const added: NewTagValue[] = [];
      if (tags === null) return { texts, added };
      const values = known.get(project) ?? new Map<string, Set<string>>();
      known.set(project, values);
      for (const [name, value] of Object.entries(tags)) {
        if (value === null || value === undefined) continue;
        const text = tagText(value);
        const own = values.get(name) ?? new Set<string>();
        values.set(name, own);
        if (!own.has(text) && own.size < MAX_TAG_VALUES) {
          own.add(text);
          added.push({ name, value: text });
        }
        Object.defineProperty(texts, name, { value: own.has(text) ? text : OTHER, enumerable: true });
      }
      return { texts, added };
    },
    forget: (project) => void known.delete(project),
  };
}

async function readTagValues(engine: Engine, project: number): Promise<Values> {
  const rows = await engine.read<{ name: string; value: string }>(
    [project],
    sql`SELECT DISTINCT name, value FROM tag_values WHERE project IN ${ints([project])}`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => [
      name,
      new Set(own.map(({ value }) => value)),
    ]),
  );
}

/** Whether a tag's value is, or would be, told apart in all of some projects. */
export async function keepsTagValue(
  engine: Engine,
  projects: readonly number[],
  { tag, value }: { readonly tag: string; readonly value: string },
): Promise<boolean> {
  const all = await Promise.all(projects.map((project) => readTagValues(engine, project)));
  return all.every((values) => {
    const own = values.get(tag);
    return own === undefined || own.has(value) || own.size < MAX_TAG_VALUES;
  });
}
