import type { z } from 'zod';
import { ConnectorError, type GetJson } from './get-json.ts';

/** Days of one page: small pages keep the thread free that parses them. */
export const DAYS_A_PAGE = 7;
const MAX_PAGES = 200;

type Page<R> = {
  readonly data: R[];
  readonly has_more: boolean;
  readonly next_page?: string | null | undefined;
};

/** All entries of a list that Anthropic and OpenAI page with `has_more` and `next_page`. */
export async function getPages<R>(
  get: GetJson,
  {
    path,
    query,
    schema,
  }: {
    readonly path: string;
    readonly query: readonly (readonly [string, string])[];
    readonly schema: z.ZodType<Page<R>>;
  },
): Promise<R[]> {
  const found: R[] = [];
  const seen = new Set<string>();
  for (let page: string | null = null; ; ) {
    const reply = await get(path, page === null ? query : [...query, ['page', page]]);
    const { data, has_more, next_page } = parseReply(schema, reply, path);
    found.push(...data);
    if (!has_more) return found;
    if (next_page === null || next_page === undefined || next_page === '')
      throw new ConnectorError(`${path} has more pages and does not name the next one`);
    if (seen.has(next_page)) throw new ConnectorError(`${path} names the same page twice`);
    if (seen.size === MAX_PAGES) throw new ConnectorError(`${path} has more than ${MAX_PAGES} pages`);
    seen.add(next_page);
    page = next_page;
  }
}

/** Checks a reply against the published schema. The error names the field, not its value. */
export function parseReply<T>(schema: z.ZodType<T>, reply: unknown, path: string): T {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConnectorError(
    `the reply to ${path} is not as documented: ${issue?.path.join('.') ?? ''}: ${issue?.code ?? 'invalid'}`,
  );
}
