/** A parameter as the engine gets it, beside the text. */
type Param = { readonly type: string; readonly value: unknown };

/** A piece of SQL with its parameters. Only pieces can be put into others, so that no value becomes SQL by mistake. */
export type Sql = { readonly parts: readonly (string | Param)[] };

/** SQL with other pieces in it. @example sql`SELECT count() FROM events WHERE model = ${text(model)}` */
export const sql = (strings: TemplateStringsArray, ...pieces: readonly Sql[]): Sql => ({
  parts: strings.flatMap((string, place) => [string, ...(pieces[place]?.parts ?? [])]),
});

/** SQL that is written in the source: a column, an operator. */
export const raw = (written: string): Sql => ({ parts: [written] });
export const nothing = raw('');

export const text = (value: string): Sql => ({ parts: [{ type: 'String', value }] });
/** Whole numbers within ±2^53. */
export const int = (value: number): Sql => ({ parts: [{ type: 'Int64', value: wholeNumber(value) }] });
export const float = (value: number): Sql => ({ parts: [{ type: 'Float64', value }] });

/**
 * Texts as literals: an address that carries many parameters would be too long. @see
 * https://clickhouse.com/docs/sql-reference/syntax#string
 */
export const texts = (values: readonly string[]): Sql =>
  raw(`(${values.length === 0 ? 'NULL' : values.map(quoted).join(', ')})`);
export const pairs = (values: readonly (readonly [string, string])[]): Sql =>
  raw(`(${values.map(([one, other]) => `(${quoted(one)}, ${quoted(other)})`).join(', ')})`);
export const ints = (values: readonly number[]): Sql =>
  raw(`(${values.length === 0 ? 'NULL' : values.map(wholeNumber).join(', ')})`);

/** Tuples of a project, a time and the id of an event: the sorting key of the table. */
export type EventKey = { readonly project: number; readonly ts: number; readonly id: string };
export const keys = (values: readonly EventKey[]): Sql =>
  raw(
    `(${values.map(({ project, ts, id }) => `(${wholeNumber(project)}, ${wholeNumber(ts)}, ${quoted(id)})`).join(', ')})`,
  );

export const join = (pieces: readonly Sql[], between: string): Sql => ({
  parts: pieces.flatMap((piece, place) => (place === 0 ? piece.parts : [between, ...piece.parts])),
});

/** All conditions; without any, what always holds. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? raw('1')
    : join(
        conditions.map((one) => sql`(${one})`),
        ' AND ',
      );
export const any = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? raw('0')
    : sql`(${join(
        conditions.map((one) => sql`(${one})`),
        ' OR ',
      )})`;

/** The text with `{p0:Type}` where its parameters are. */
export function render({ parts }: Sql): { readonly query: string; readonly params: Record<string, unknown> } {
  const params: Record<string, unknown> = {};
  let count = 0;
  const query = parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const name = `p${count++}`;
      params[name] = part.value;
      return `{${name}:${part.type}}`;
    })
    .join('');
  return { query, params };
}

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`not a whole number: ${value}`);
  return value;
}
