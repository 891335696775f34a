import { and, desc, eq, exists, gt, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import type {
  LabelVersion,
  Prompt,
  PromptDetail,
  PromptLabel,
  PromptsPage,
  PromptsQuery,
  PromptVersion,
  VersionRow,
} from './contract.ts';
import { LATEST } from './input/contract.ts';
import { promptLabels, promptSettings, prompts, promptVersions } from './table.ts';

/** The author of what the operator makes on the command line. */
export const OPERATOR = 'operator';
const MAX_USERS = 100;

/** The name of an author for people; null if the account is gone. */
export const authorName = (name: string | null, id: string): string | null =>
  name ?? (id === OPERATOR ? 'Operator' : null);
const timeText = (at: Date): string => formatInstant(at.getTime());

/** The labels that only admins change. */
export async function readProtectedLabels(ctx: Ctx, projectId: string): Promise<readonly string[]> {
  const [row] = await ctx.db.sql
    .select({ labels: promptSettings.protectedLabels })
    .from(promptSettings)
    .where(eq(promptSettings.projectId, projectId));
  return row?.labels ?? [];
}

type Shown = { readonly limit: number; readonly where: readonly (SQL | undefined)[] };

async function readPrompts(ctx: Ctx, projectId: string, { limit, where }: Shown): Promise<Prompt[]> {
  const latest = sql<
    number | null
  >`(SELECT max(v.version) FROM prompt_versions AS v WHERE v.prompt_id = ${prompts.id})`;
  const rows = await ctx.db.sql
    .select({ prompt: prompts, latest, author: users.name })
    .from(prompts)
    .leftJoin(users, eq(users.id, prompts.createdBy))
    .where(and(eq(prompts.projectId, projectId), ...where))
    .orderBy(prompts.name)
    .limit(limit);
  const labels = await readLabels(
    ctx,
    projectId,
    rows.map(({ prompt }) => prompt.id),
  );
  return rows.map(({ prompt, latest: latestVersion, author }) => ({
    name: prompt.name,
    type: prompt.type,
    description: prompt.description,
    tags: [...prompt.tags],
    latestVersion,
    labels: labels.get(prompt.id) ?? [],
    createdBy: authorName(author, prompt.createdBy),
    createdAt: timeText(prompt.createdAt),
    updatedAt: timeText(prompt.updatedAt),
  }));
}

async function readLabels(
  ctx: Ctx,
  projectId: string,
  promptIds: readonly string[],
): Promise<Map<string, PromptLabel[]>> {
  const [rows, isProtected] = await Promise.all([
    ctx.db.sql
      .select()
      .from(promptLabels)
      .where(inArray(promptLabels.promptId, [...promptIds]))
      .orderBy(promptLabels.label),
    readProtectedLabels(ctx, projectId),
  ]);
  const byPrompt = new Map<string, PromptLabel[]>();
  for (const { promptId, label, versions, updatedAt } of rows) {
    const shown = {
      label,
      versions: [...versions],
      isProtected: isProtected.includes(label),
      updatedAt: timeText(updatedAt),
    };
    byPrompt.set(promptId, [...(byPrompt.get(promptId) ?? []), shown]);
  }
  return byPrompt;
}

/** A page of prompts by name, with the folders below the asked one. */
export async function listPrompts(ctx: Ctx, projectId: string, query: PromptsQuery): Promise<PromptsPage> {
  const { q, text, tag, folder, cursor, limit } = query;
  const found = await readPrompts(ctx, projectId, {
    limit: limit + 1,
    where: [
      q === undefined ? undefined : contains(q),
      tag === undefined
        ? undefined
        : sql`EXISTS (SELECT 1 FROM json_each(${prompts.tags}) WHERE value = ${tag})`,
      text === undefined ? undefined : says(text),
      folder === undefined || q !== undefined ? undefined : isIn(folder),
      cursor === undefined ? undefined : gt(prompts.name, cursor),
    ],
  });
  const page = found.slice(0, limit);
  const isFirst = cursor === undefined;
  return {
    prompts: page,
    folders: isFirst && q === undefined ? await readFolders(ctx, projectId, folder ?? '') : [],
    tags: isFirst ? await readTags(ctx, projectId) : [],
    nextCursor: found.length > limit ? (page.at(-1)?.name ?? null) : null,
  };
}

/** Case makes no difference; `%` and `_` stand for themselves. */
const contains = (text: string): SQL => {
  const lower = text.toLowerCase();
  const has = (column: SQL | typeof prompts.name): SQL => sql`instr(lower(${column}), ${lower}) > 0`;
  const { template, messages } = SAID;
  // Of the newest version, so that the work does not grow with the history.
  const newest = sql`SELECT v.template, v.messages FROM prompt_versions AS v WHERE v.prompt_id = ${prompts.id} ORDER BY v.version DESC LIMIT 1`;
  const inText = sql`EXISTS (SELECT 1 FROM (${newest}) AS v WHERE instr(lower(${template}), ${lower}) > 0 OR instr(lower(${messages}), ${inJson(lower)}) > 0)`;
  return sql`(${has(prompts.name)} OR ${has(sql`${prompts.description}`)} OR ${has(sql`${prompts.tags}`)} OR ${inText})`;
};

const SAID = { template: sql`coalesce(v.template, '')`, messages: sql`coalesce(v.messages, '')` };
/** A text as it stands within JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** In any version, upper and lower case told apart. */
const says = (text: string): SQL =>
  sql`EXISTS (SELECT 1 FROM prompt_versions AS v WHERE v.prompt_id = ${prompts.id} AND (instr(${SAID.template}, ${text}) > 0 OR instr(${SAID.messages}, ${inJson(text)}) > 0))`;

/** The path of a folder as a prefix of names; empty for the top. */
const prefixOf = (folder: string): string => (folder === '' ? '' : `${folder}/`);

/** Directly in the folder: no further `/` follows. */
const isIn = (folder: string): SQL => {
  const prefix = prefixOf(folder);
  return sql`substr(${prompts.name}, 1, ${prefix.length}) = ${prefix} AND instr(substr(${prompts.name}, ${prefix.length + 1}), '/') = 0`;
};

async function readFolders(ctx: Ctx, projectId: string, folder: string): Promise<PromptsPage['folders']> {
  const prefix = prefixOf(folder);
  const rest = sql`substr(${prompts.name}, ${prefix.length + 1})`;
  const path = sql<string>`${prefix} || substr(${rest}, 1, instr(${rest}, '/') - 1)`;
  return ctx.db.sql
    .select({ path, prompts: sql<number>`count(*)` })
    .from(prompts)
    .where(
      and(
        eq(prompts.projectId, projectId),
        sql`substr(${prompts.name}, 1, ${prefix.length}) = ${prefix} AND instr(${rest}, '/') > 0`,
      ),
    )
    .groupBy(path)
    .orderBy(path);
}

async function readTags(ctx: Ctx, projectId: string): Promise<string[]> {
  const rows = await ctx.db.sql
    .selectDistinct({ tag: sql<string>`t.value` })
    .from(sql`${prompts}, json_each(${prompts.tags}) AS t`)
    .where(eq(prompts.projectId, projectId))
    .orderBy(sql`t.value`)
    .limit(500);
  return rows.map(({ tag }) => tag);
}

/** A prompt by its name. Throws AppError 404. */
export async function findPrompt(ctx: Ctx, projectId: string, name: string): Promise<Prompt> {
  const [found] = await readPrompts(ctx, projectId, { limit: 1, where: [eq(prompts.name, name)] });
  if (found === undefined) throw notFound(`There is no prompt ${name}`);
  return found;
}

/** A prompt with the prompts that include it. Throws AppError 404. */
export async function readPrompt(ctx: Ctx, projectId: string, name: string): Promise<PromptDetail> {
  const prompt = await findPrompt(ctx, projectId, name);
  const includes = exists(sql`(SELECT 1 FROM json_each(${promptVersions.includes}) WHERE value = ${name})`);
  const includedBy = await ctx.db.sql
    .select({ name: prompts.name, version: sql<number>`max(${promptVersions.version})` })
    .from(promptVersions)
    .innerJoin(prompts, eq(prompts.id, promptVersions.promptId))
    .where(and(eq(promptVersions.projectId, projectId), includes, ne(prompts.name, name)))
    .groupBy(prompts.name)
    .orderBy(prompts.name)
    .limit(MAX_USERS);
  return { ...prompt, includedBy };
}

/** The id and the type of a prompt. Throws AppError 404. */
export async function promptIdOf(
  ctx: Ctx,
  projectId: string,
  name: string,
): Promise<Pick<typeof prompts.$inferSelect, 'id' | 'type'>> {
  const [row] = await ctx.db.sql
    .select({ id: prompts.id, type: prompts.type })
    .from(prompts)
    .where(and(eq(prompts.projectId, projectId), eq(prompts.name, name)));
  if (row === undefined) throw notFound(`There is no prompt ${name}`);
  return row;
}

type LabelNames = (version: number) => string[];

/** The labels of versions by number; the newest version is `latest`. */
async function readLabelNames(ctx: Ctx, promptId: string): Promise<LabelNames> {
  const [labels, [newest]] = await Promise.all([
    ctx.db.sql
      .select()
      .from(promptLabels)
      .where(eq(promptLabels.promptId, promptId))
      .orderBy(promptLabels.label),
    ctx.db.sql
      .select({ version: sql<number | null>`max(${promptVersions.version})` })
      .from(promptVersions)
      .where(eq(promptVersions.promptId, promptId)),
  ]);
  const names = (versions: readonly LabelVersion[], version: number): boolean =>
    versions.some((one) => one.version === version);
  return (version) => [
    ...(newest?.version === version ? [LATEST] : []),
    ...labels.filter(({ versions }) => names(versions, version)).map(({ label }) => label),
  ];
}

const row = {
  version: promptVersions.version,
  message: promptVersions.message,
  model: sql<string | null>`${promptVersions.config} ->> '$.model'`,
  variables: promptVersions.variables,
  includes: promptVersions.includes,
  author: users.name,
  createdBy: promptVersions.createdBy,
  createdAt: promptVersions.createdAt,
};
type Row = {
  readonly [K in keyof Omit<VersionRow, 'labels' | 'createdBy' | 'createdAt'>]:
    | VersionRow[K]
    | readonly string[];
} & {
  readonly author: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
};

const toRow = ({ author, createdBy, createdAt, ...rest }: Row, labels: LabelNames): VersionRow => ({
  ...(rest as Omit<VersionRow, 'labels' | 'createdBy' | 'createdAt'>),
  labels: labels(Number(rest.version)),
  createdBy: authorName(author, createdBy),
  createdAt: timeText(createdAt),
});

/** Versions of a prompt, newest first. Throws AppError 404. */
export async function listVersions(
  ctx: Ctx,
  projectId: string,
  {
    name,
    cursor,
    limit,
  }: { readonly name: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ versions: VersionRow[]; nextCursor: string | null }> {
  const { id } = await promptIdOf(ctx, projectId, name);
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
    throw badRequest('cursor was not returned by this endpoint');
  const rows = await ctx.db.sql
    .select(row)
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.createdBy))
    .where(
      and(
        eq(promptVersions.promptId, id),
        cursor === undefined ? undefined : lt(promptVersions.version, Number(cursor)),
      ),
    )
    .orderBy(desc(promptVersions.version))
    .limit(limit + 1);
  const labels = await readLabelNames(ctx, id);
  const page = rows.slice(0, limit).map((one) => toRow(one, labels));
  return { versions: page, nextCursor: rows.length > limit ? String(page.at(-1)?.version) : null };
}

/** A version as it was written. Throws AppError 404. */
export async function readVersion(
  ctx: Ctx,
  projectId: string,
  { name, version }: { readonly name: string; readonly version: number },
): Promise<PromptVersion> {
  const { id, type } = await promptIdOf(ctx, projectId, name);
  const [found] = await ctx.db.sql
    .select({
      ...row,
      template: promptVersions.template,
      messages: promptVersions.messages,
      config: promptVersions.config,
    })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.createdBy))
    .where(and(eq(promptVersions.promptId, id), eq(promptVersions.version, version)));
  if (found === undefined) throw notFound(`${name} has no version ${version}`);
  const { template, messages, config, ...rest } = found;
  return {
    name,
    type,
    ...toRow(rest, await readLabelNames(ctx, id)),
    ...(template === null
      ? { messages: [...(messages ?? [])] as NonNullable<PromptVersion['messages']> }
      : { template }),
    config,
  };
}
