import type { When } from '../question.ts';
import { takeTime, timeAt } from './read-time.ts';
import type { Rest } from './rest.ts';

/** When a question is about, and what it compares that with: the window just before, or another. */
export type Times = {
  readonly when: When | null;
  readonly compare: 'previous' | null;
  readonly baseline: When | null;
};

const RELATIVE: readonly (readonly [RegExp, When, When])[] = [
  [/\bweek[- ](?:over|on)[- ]week\b|\bwow\b/, { range: 'wtd' }, { range: 'lastWeek' }],
  [/\bmonth[- ](?:over|on)[- ]month\b|\bmom\b/, { range: 'mtd' }, { range: 'lastMonth' }],
  [/\bday[- ](?:over|on)[- ]day\b/, { range: 'today' }, { range: 'yesterday' }],
];

const COMPARED =
  /\b(?:compared?(?: with| to| against)?|in comparison (?:with|to)|relative to|against|versus|vs\.?|than)(?= )/g;
const BEFORE =
  /^(?: it was| in| during| the| same)*(?: (?:previous|prior|preceding) (?:period|one|week|month|day|time)| (?:(?:\d+|two|three|four|six) )?(?:day|week|month|period|one|time|days|weeks|months|hours) before| before| previously| usual| normal)\b/;
const CHANGE =
  /\b(?:changed?|changes|go(?:ne|ing)? up|went up|go(?:ne|ing)? down|went down|increas(?:ed?|es|ing)|decreas(?:ed?|es|ing)|rise|rose|risen|rising|grow|grew|grown|growing|growth|dropp?(?:ed|ing)?|f[ae]ll(?:en|ing)?|higher|lower|more|less|worse|better|up|down)\b/;
/** Who asks how something changed; else "more" and "lower" are part of something else, such as a bound. */
const ASKS_CHANGE =
  /^(?:¦| )*(?:and |so )?(?:is|are|was|were|did|do|does|has|have|by how much|how much (?:more|less|higher|lower|has|have|did|does)|how (?:is|are|was|were|has|have|did|does|do)|what is)\b|\b(?:went|gone|going|go|goes|getting|gets?|got) (?:up|down|worse|better|higher|lower)\b|\b(?:changes?|growth|increase|drop|rise|decrease) (?:in|of)\b|\b(?:changed|grown|grew|risen|rose|increased|decreased|dropped|fallen|fell)\b/;
/** These also say what is measured, so they are not taken. */
const SPEED_CHANGE = /\b(?:slower|faster)\b/;

/** What follows a window that is over. */
const CURRENT: Readonly<Partial<Record<string, Extract<When, { readonly range: unknown }>['range']>>> = {
  yesterday: 'today',
  lastWeek: 'wtd',
  lastMonth: 'mtd',
};

/** "This month against the previous month": all of that month. */
const WHOLE_BEFORE: Readonly<
  Partial<Record<string, { readonly word: RegExp; readonly range: 'lastMonth' | 'lastWeek' | 'yesterday' }>>
> = {
  mtd: { word: /\b(?:previous|prior|preceding) month\b|\bthe month before\b/, range: 'lastMonth' },
  wtd: { word: /\b(?:previous|prior|preceding) week\b|\bthe week before\b/, range: 'lastWeek' },
  today: { word: /\b(?:previous|prior|preceding) day\b|\bthe day before\b/, range: 'yesterday' },
};

/** Takes all times of a question. */
export function readTimes(
  rest: Rest,
  clock: { readonly now: number; readonly zone: string },
  comparesNames: boolean,
): Times {
  const { text } = rest;
  const asksChange = ASKS_CHANGE.test(rest.text);
  for (const [pattern, when, baseline] of RELATIVE)
    if (rest.take(pattern) !== null) return { when, compare: null, baseline };
  const both =
    asksChange || /\b(?:compare|difference|increase|growth)\b/.test(rest.text) ? takeSpan(rest, clock) : null;
  if (both !== null) {
    rest.take(CHANGE);
    rest.take(/\b(?:compare|difference|increase|growth)\b/);
    return both;
  }
  const compared = takeCompared(rest, clock);
  const first = takeTime(rest, clock);
  const second =
    first !== null &&
    /\bcompare\b|\bversus\b|\bvs\b|\bdifference\b|\bor\b/.test(rest.text) &&
    compared === null
      ? takeTime(rest, clock)
      : null;
  if (first !== null) rest.take(/\bso far\b/);
  if (compared === null && second !== null) {
    rest.take(/\b(?:compare|versus|vs\.?|difference)\b/);
    rest.take(/\b(?:with|to|and|or)\b(?= ¦)/);
    return { when: first?.when ?? null, compare: null, baseline: second.when };
  }
  if (comparesNames && compared === null) {
    rest.take(CHANGE);
    return { when: first?.when ?? null, compare: null, baseline: null };
  }
  const change = compared !== null || asksChange ? rest.take(CHANGE) : null;
  // "Is it up compared with last month" is about this month.
  const isNow = first === null && compared !== null && compared !== 'previous' && 'range' in compared;
  const now = isNow ? CURRENT[compared.range] : undefined;
  if (now !== undefined) return { when: { range: now }, compare: null, baseline: compared as When };
  const whole = first !== null && 'range' in first.when ? WHOLE_BEFORE[first.when.range] : undefined;
  if (compared === 'previous' && whole !== undefined && whole.word.test(text))
    return { when: first?.when ?? null, compare: null, baseline: { range: whole.range } };
  if (
    compared === 'previous' ||
    (compared === null && (change !== null || (asksChange && rest.has(SPEED_CHANGE))))
  )
    return { when: first?.when ?? null, compare: 'previous', baseline: null };
  return { when: first?.when ?? null, compare: null, baseline: compared };
}

/** Takes the two windows of a change: `between October and November`, `from Monday to Tuesday`. */
function takeSpan(rest: Rest, clock: { readonly now: number; readonly zone: string }): Times | null {
  const start = /\b(?:between|from) /.exec(rest.text);
  const at = start === null ? 0 : start.index + start[0].length;
  const first = start === null ? null : timeAt(rest.text.slice(at), clock);
  if (start === null || first === null) return null;
  const middle = /^ (?:and|to) /.exec(rest.text.slice(at + first.length));
  const next = at + first.length + (middle?.[0].length ?? 0);
  const second = middle === null ? null : timeAt(rest.text.slice(next), clock);
  if (second === null) return null;
  rest.remove(start.index, next + second.length - start.index);
  return { when: second.when, compare: null, baseline: first.when };
}

/** Takes what a question compares with. */
function takeCompared(
  rest: Rest,
  clock: { readonly now: number; readonly zone: string },
): When | 'previous' | null {
  COMPARED.lastIndex = 0;
  for (let match = COMPARED.exec(rest.text); match !== null; match = COMPARED.exec(rest.text)) {
    const at = match.index + match[0].length;
    const after = rest.text.slice(at);
    const before = BEFORE.exec(after);
    if (before !== null) {
      rest.remove(match.index, match[0].length + before[0].length);
      return 'previous';
    }
    const lead = /^(?: it was| in| during| the same time| that of| the)* /.exec(after)?.[0] ?? '';
    const found = timeAt(after.slice(lead.length), clock);
    if (found === null) continue;
    // "Compare this week with last week" has its own time first.
    const isFirst =
      /^compared?$/.test(match[0]) &&
      / (?:with|to|and|against) /.test(after.slice(lead.length + found.length));
    if (isFirst) continue;
    rest.remove(match.index, match[0].length + lead.length + found.length);
    return found.when;
  }
  return null;
}
