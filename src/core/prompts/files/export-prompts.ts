import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { nextTurn } from '../../../lib/pace/next-turn.ts';
import { prompts, promptVersions } from '../table.ts';
import type { PromptFile } from './contract.ts';

/** A prompt as a file, with the number of its newest version and of the last one that was ever made. */
export type Exported = { readonly file: PromptFile; readonly version: number; readonly lastVersion: number };

/** Prompts read at once: each may have a hundred thousand characters. */
const PAGE = 20;

/** The newest version of each prompt of a project, by name. Other requests are answered between its pages. */
export async function* exportPages(ctx: Ctx, projectId: string): AsyncGenerator<Exported[], void> {
  for (let after = ''; ; await nextTurn()) {
    const page = await readPrompts(ctx, projectId, gt(prompts.name, after));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.file.name;
  }
}

/** All of them, for commands. */
export const exportPrompts = async (ctx: Ctx, projectId: string): Promise<Exported[]> =>
  (await Array.fromAsync(exportPages(ctx, projectId))).flat();

/** Those of these names, at most `PAGE`. */
export const exportNamed = (ctx: Ctx, projectId: string, names: readonly string[]): Promise<Exported[]> =>
  readPrompts(ctx, projectId, inArray(prompts.name, [...names]));

/** The document of `GET /v1/prompt-files`, made as fast as it is read. */
export function exportDocument(ctx: Ctx, projectId: string): Response {
  const pages = exportPages(ctx, projectId);
  const encoder = new TextEncoder();
  let before = '{"prompts":[';
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done === true) {
        controller.enqueue(encoder.encode(before === ',' ? ']}' : `${before}]}`));
        return controller.close();
      }
      const text = value.map(({ file }) => JSON.stringify(file)).join();
      controller.enqueue(encoder.encode(before + text));
      before = ',';
    },
    cancel: async () => void (await pages.return()),
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}

async function readPrompts(ctx: Ctx, projectId: string, those: SQL): Promise<Exported[]> {
  const newest = sql`(SELECT max(v.version) FROM prompt_versions AS v WHERE v.prompt_id = ${prompts.id})`;
  const rows = await ctx.db.sql
    .select({ prompt: prompts, version: promptVersions })
    .from(prompts)
    .innerJoin(
      promptVersions,
      and(eq(promptVersions.promptId, prompts.id), eq(promptVersions.version, newest)),
    )
    .where(and(eq(prompts.projectId, projectId), those))
    .orderBy(prompts.name)
    .limit(PAGE);
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
