import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { PromptMessage } from '../../../lib/prompts/fill-template.ts';
import type { LabelVersion, PromptConfig, PromptType } from '../contract.ts';
import { DEFAULT_LABEL, LATEST } from '../input/contract.ts';
import { prompts, promptVersions } from '../table.ts';

/** A prompt with what its labels name. */
export type LoadedPrompt = {
  readonly id: string;
  readonly name: string;
  readonly type: PromptType;
  readonly labels: ReadonlyMap<string, readonly LabelVersion[]>;
};

/** What a version says. */
export type LoadedVersion = {
  readonly promptId: string;
  readonly version: number;
  readonly template: string | null;
  readonly messages: readonly PromptMessage[] | null;
  readonly config: PromptConfig;
};

/** The prompts of a project with these names, by name; `latest` is among their labels. */
export async function loadPrompts(
  ctx: Ctx,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, LoadedPrompt>> {
  // One statement: preparing it is most of what a read costs.
  const found = await ctx.db.sql
    .select({
      id: prompts.id,
      name: prompts.name,
      type: prompts.type,
      latest: sql<
        number | null
      >`(SELECT max(v.version) FROM prompt_versions AS v WHERE v.prompt_id = ${prompts.id})`,
      labels: sql<string>`(SELECT json_group_object(l.label, json(l.versions)) FROM prompt_labels AS l WHERE l.prompt_id = ${prompts.id})`,
    })
    .from(prompts)
    .where(and(eq(prompts.projectId, projectId), inArray(prompts.name, [...names])));
  return new Map(
    found.map(({ id, name, type, latest, labels }) => {
      const all = new Map(Object.entries(JSON.parse(labels) as Record<string, readonly LabelVersion[]>));
      if (latest !== null) all.set(LATEST, [{ version: latest, weight: 1 }]);
      return [name, { id, name, type, labels: all }];
    }),
  );
}

/** The contents of versions, by `promptId version`. */
export async function loadContents(
  ctx: Ctx,
  wanted: readonly { readonly promptId: string; readonly version: number }[],
): Promise<Map<string, LoadedVersion>> {
  const byPrompt = Map.groupBy(wanted, ({ promptId }) => promptId);
  const found = await Promise.all(
    [...byPrompt].map(([promptId, list]) =>
      ctx.db.sql
        .select({
          promptId: promptVersions.promptId,
          version: promptVersions.version,
          template: promptVersions.template,
          messages: promptVersions.messages,
          config: promptVersions.config,
        })
        .from(promptVersions)
        .where(
          and(
            eq(promptVersions.promptId, promptId),
            inArray(promptVersions.version, [...new Set(list.map(({ version }) => version))]),
          ),
        )
        .orderBy(desc(promptVersions.version)),
    ),
  );
  return new Map(found.flat().map((row) => [contentKey(row.promptId, row.version), row]));
}

export const contentKey = (promptId: string, version: number): string => `${promptId} ${version}`;

/** The version that a label or a number of an include names; of a split, the one with the greatest weight. */
export function versionAt(prompt: LoadedPrompt, at: string | null): number | null {
  if (at !== null && /^\d{1,7}$/.test(at)) return Number(at);
  const versions = prompt.labels.get(at ?? DEFAULT_LABEL) ?? [];
  const [first] = versions.toSorted((a, b) => b.weight - a.weight || a.version - b.version);
  return first?.version ?? null;
}
