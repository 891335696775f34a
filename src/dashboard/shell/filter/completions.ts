import { formatTerm, parseTerms } from '../../../lib/filter-terms.ts';

/** What the box knows of the project's calls: values by field, and by `tag.NAME` and `score.NAME`. */
export type Known = Readonly<Record<string, readonly string[] | undefined>>;

/** `text`: what the box says if it is taken. `isDone`: the part is complete. */
export type Completion = {
  readonly text: string;
  readonly shown: string;
  readonly hint: string;
  readonly isDone: boolean;
};

/** Fields of a filter: what people call them, and the values or an example that a box offers. */
export type Fields = Readonly<
  Record<string, { readonly label: string; readonly values?: readonly string[]; readonly example?: string }>
>;

type Language = {
  readonly fields: Fields;
  readonly known: Known;
  /** What people call a value of a field, such as an API key by its id. */
  readonly nameOf?: (value: string) => string;
};

const MOST = 12;

/** The part of a text that is being typed: what stands before it, its field, and its value once there is a colon. */
function partOf(text: string): { lead: string; field: string; given: string | undefined } {
  const [, before = '', not = '', part = ''] =
    /^(.*?)(-?)((?:[^\s"]|"(?:[^"\\]|\\.)*(?:"|$))*)$/s.exec(text) ?? [];
  const [, field = '', given] = /^((?:[^:"<>]|"[^"]*")*)(?::(.*))?$/s.exec(part) ?? [];
  return { lead: `${before}${not}`, field, given };
}

/** The field whose value is being typed at the end of a text; null while there is none. */
export function fieldOf(text: string): string | null {
  const { field, given } = partOf(text);
  return given === undefined ? null : nameOf(field);
}

/** What can stand at the end of a text: fields, or the values of the field that is there. */
export function completionsOf(text: string, language: Language): Completion[] {
  const { lead, field, given } = partOf(text);
  return (
    given === undefined ? fieldsLike(field, lead, language) : valuesLike(field, given, { ...language, lead })
  ).slice(0, MOST);
}

function fieldsLike(given: string, lead: string, { fields, known }: Language): Completion[] {
  const wanted = given.toLowerCase();
  const named = Object.keys(known).filter((name) => name.startsWith('tag.') || isScore(name));
  const labelOf = (name: string): string => fields[name]?.label ?? (isScore(name) ? 'Score' : 'Tag');
  return [...Object.keys(fields), ...named]
    .filter((name) => name.toLowerCase().includes(wanted) || labelOf(name).toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.toLowerCase().startsWith(wanted)) - Number(a.toLowerCase().startsWith(wanted)))
    .map((name) => {
      const written = formatTerm({ field: name, not: false, operator: ':', values: [] });
      const shown = fields[name]?.example ?? written;
      return { text: lead + written, shown, hint: labelOf(name), isDone: false };
    });
}

const isScore = (name: string): boolean => name.startsWith('score.');

/** Values of a list: only the last one is completed. */
function valuesLike(
  field: string,
  given: string,
  { lead, fields, known, nameOf: nameOfValue = (value) => value }: Language & { readonly lead: string },
): Completion[] {
  const name = nameOf(field);
  const last = given.lastIndexOf(',') + 1;
  const wanted = given.slice(last).replaceAll('"', '').toLowerCase();
  const values = fields[name]?.values ?? known[name] ?? [];
  const start = formatTerm({ field: name, not: false, operator: ':', values: [] }) + given.slice(0, last);
  const matching = values
    .map((value) => ({ value, called: nameOfValue(value) }))
    .filter((one) => [one.value, one.called].some((text) => text.toLowerCase().includes(wanted)));
  return [
    ...matching.map(({ value, called }) => {
      const values = [{ text: value, isQuoted: true }];
      const shown = formatTerm({ field: 'x', not: false, operator: ':', values }).slice(2);
      return { text: lead + start + shown, shown, hint: called === value ? '' : called, isDone: true };
    }),
    ...(wanted === '' ? [{ text: `${lead + start}*`, shown: '*', hint: 'any value', isDone: true }] : []),
  ];
}

/** The name that a field's text stands for, without its quotes. */
function nameOf(field: string): string {
  try {
    return parseTerms(`${field}:x`)[0]?.field ?? field;
  } catch {
    return field;
  }
}
