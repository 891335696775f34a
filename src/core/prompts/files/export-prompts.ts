import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { prompts, promptVersions } from '../table.ts';
import type { PromptFile } from './contract.ts';

/** A prompt as a file, with the number of its newest version and of the last one that was ever made. */
export type Exported = { readonly file: PromptFile; readonly version: number; readonly lastVersion: number };

/** The newest version of each prompt of a project, by name. */
export async function exportPrompts(ctx: Ctx, projectId: string): Promise<Exported[]> {
  const newest = sql`(SELECT max(v.version) FROM prompt_versions AS v WHERE v.prompt_id = ${prompts.id})`;
  const rows = await ctx.db.sql
    .select({ prompt: prompts, version: promptVersions })
    .from(prompts)
    .innerJoin(
      promptVersions,
      and(eq(promptVersions.promptId, prompts.id), eq(promptVersions.version, newest)),
    )
    .where(eq(prompts.projectId, projectId))
    .orderBy(prompts.name);
  return rows.map(({ prompt, version: { template, messages, config, version } }) => ({
    version,
    lastVersion: prompt.lastVersion,
    file: {
      name: prompt.name,
      description: prompt.description,
      tags: [...prompt.tags],
      ...(template === null
        ? { messages: [...(messages ?? [])] as NonNullable<PromptFile['messages']> }
        : { template }),
      config,
    },
  }));
}
