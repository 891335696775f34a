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
/** These also say what is measured, so they are not taken. */
const SPEED_CHANGE = /\b(?:slower|faster)\b/;

/** What follows a window that is over. */
const CURRENT: Readonly<Partial<Record<string, Extract<When, { readonly range: unknown }>['range']>>> = {
  yesterday: 'today',
  lastWeek: 'wtd',
  lastMonth: 'mtd',
};

/** Takes all times of a question. */
export function readTimes(rest: Rest, clock: { readonly now: number; readonly zone: string }): Times {
  for (const [pattern, when, baseline] of RELATIVE)
    if (rest.take(pattern) !== null) return { when, compare: null, baseline };
  const compared = takeCompared(rest, clock);
  const first = takeTime(rest, clock);
  const second =
    first !== null &&
    /\bcompare\b|\bversus\b|\bvs\b|\bdifference\b|\bor\b/.test(rest.text) &&
    compared === null
      ? takeTime(rest, clock)
      : null;
  if (compared === null && second !== null) {
    rest.take(/\b(?:compare|versus|vs\.?|difference)\b/);
    return { when: first?.when ?? null, compare: null, baseline: second.when };
  }
  const change = compared === null ? rest.take(CHANGE) : rest.take(CHANGE);
  // "Is it up compared with last month" is about this month.
  const isNow = first === null && compared !== null && compared !== 'previous' && 'range' in compared;
  const now = isNow ? CURRENT[compared.range] : undefined;
  if (now !== undefined) return { when: { range: now }, compare: null, baseline: compared as When };
  if (compared === 'previous' || (compared === null && (change !== null || rest.has(SPEED_CHANGE))))
    return { when: first?.when ?? null, compare: 'previous', baseline: null };
  return { when: first?.when ?? null, compare: null, baseline: compared };
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
