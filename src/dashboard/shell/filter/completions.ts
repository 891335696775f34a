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

const MOST = 12;

/** What can stand at the end of a text: fields, or the values of the field that is there. */
export function completionsOf(text: string, known: Known): Completion[] {
  const [, before = '', not = '', part = ''] =
    /^(.*?)(-?)((?:[^\s"]|"(?:[^"\\]|\\.)*(?:"|$))*)$/s.exec(text) ?? [];
  const [, field = '', given] = /^((?:[^:"<>]|"[^"]*")*)(?::(.*))?$/s.exec(part) ?? [];
  const lead = `${before}${not}`;
  return (given === undefined ? fieldsLike(field, lead, known) : valuesLike(field, given, lead, known)).slice(
    0,
    MOST,
  );
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
function valuesLike(field: string, given: string, lead: string, known: Known): Completion[] {
  const name = nameOf(field);
  const last = given.lastIndexOf(',') + 1;
  const wanted = given.slice(last).replaceAll('"', '').toLowerCase();
  const values = (isField(name) ? FIELDS[name].values : undefined) ?? known[name] ?? [];
  const start = formatTerm({ field: name, not: false, operator: ':', values: [] }) + given.slice(0, last);
  const matching = values.filter((value) => value.toLowerCase().includes(wanted));
  const written = matching.map((value) =>
    formatTerm({ field: 'x', not: false, operator: ':', values: [{ text: value, isQuoted: true }] }).slice(2),
  );
  return [
    ...written.map((value) => ({ text: lead + start + value, shown: value, hint: '', isDone: true })),
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
