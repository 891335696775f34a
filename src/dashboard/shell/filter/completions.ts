import { formatTerm, parseTerms } from '../../../lib/filter-terms.ts';
import { FIELDS, isField } from './fields.ts';

/** What the box knows of the project's calls: values by field, and by `tag.NAME` and `score.NAME`. */
export type Known = Readonly<Record<string, readonly string[] | undefined>>;

/** `text`: what the box says if it is taken. `isDone`: the part is complete. */
export type Completion = {
  readonly text: string;
  readonly shown: string;
  readonly hint: string;
  readonly isDone: boolean;
};

/** What people call a value of a field, such as an API key by its id. */
export type NameOf = (value: string) => string;

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
export function completionsOf(
  text: string,
  known: Known,
  nameOfValue: NameOf = (value) => value,
): Completion[] {
  const { lead, field, given } = partOf(text);
  return (
    given === undefined
      ? fieldsLike(field, lead, known)
      : valuesLike(field, given, { lead, known, nameOfValue })
  ).slice(0, MOST);
}

function fieldsLike(given: string, lead: string, known: Known): Completion[] {
  const wanted = given.toLowerCase();
  const named = Object.keys(known).filter((name) => name.startsWith('tag.') || isScore(name));
  const names = [...Object.keys(FIELDS), ...named];
  return names
    .filter((name) => name.toLowerCase().includes(wanted) || labelOf(name).toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.toLowerCase().startsWith(wanted)) - Number(a.toLowerCase().startsWith(wanted)))
    .map((name) => {
      const example = isField(name) ? FIELDS[name].example : undefined;
      const written = formatTerm({ field: name, not: false, operator: ':', values: [] });
      return { text: lead + written, shown: example ?? written, hint: labelOf(name), isDone: false };
    });
}

const isScore = (name: string): boolean => name.startsWith('score.');
const labelOf = (name: string): string =>
  isField(name) ? FIELDS[name].label : isScore(name) ? 'Score' : 'Tag';

/** Values of a list: only the last one is completed. */
function valuesLike(
  field: string,
  given: string,
  {
    lead,
    known,
    nameOfValue,
  }: { readonly lead: string; readonly known: Known; readonly nameOfValue: NameOf },
): Completion[] {
  const name = nameOf(field);
  const last = given.lastIndexOf(',') + 1;
  const wanted = given.slice(last).replaceAll('"', '').toLowerCase();
  const values = (isField(name) ? FIELDS[name].values : undefined) ?? known[name] ?? [];
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
