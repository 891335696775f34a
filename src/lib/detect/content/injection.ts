import { MAX_MATCHES, type Match, matchAt, matchesOf, withoutOverlaps } from '../match.ts';
import type { View } from '../text/fold.ts';
import { foldPattern } from '../text/fold-pattern.ts';
import { createLiteralSearch } from '../text/literals.ts';
import type { Views } from '../text/views.ts';

/**
 * A sign of an attempt to change what a model does. `weight`: how sure it alone makes. `words`: one of them is in every
 * match; null: the form is of a script that is not Latin. `starts`: every match begins with one of them; null: with
 * anything. They are looked for first, all at once, and the form is only tried where one of its starts is.
 */
type Rule = {
  readonly type: string;
  readonly weight: number;
  readonly words: readonly string[] | null;
  readonly starts: readonly string[] | null;
  readonly form: RegExp;
};

const NOT_LATIN = null;

const rule = (
  type: string,
  weight: number,
  words: Rule['words'],
  body: string,
  starts: Rule['starts'] = words,
): Rule => ({
  type,
  weight,
  words,
  starts,
  form: foldPattern(new RegExp(body, starts === null ? 'gi' : 'iy')),
});

const ANY = '(?:\\S{1,20}\\s{1,3}){0,4}?';

/** The phrases are known from published collections of attacks; each is bounded, so that it takes linear time. */
const RULES: readonly Rule[] = [
  rule(
    'ignore_instructions',
    0.9,
    [
      'ignore',
      'disregard',
      'forget',
      'override',
      'bypass',
      'skip',
      'neglect',
      'drop',
      'do not follow',
      "don't follow",
      'stop following',
    ],
    `\\b(?:ignore|disregard|forget|override|bypass|skip|neglect|drop|do not follow|don't follow|stop following)\\s{1,3}${ANY}(?:instructions?|prompts?|rules|guidelines|directives?|directions|context|constraints|training|programming)\\b`,
  ),
  rule(
    'ignore_instructions',
    0.9,
    ['ignorier', 'vergiss', 'missachte', 'ubergeh'],
    `\\b(?:ignorier\\w{0,3}|vergiss|missachte|ubergeh\\w{0,3})\\s{1,3}${ANY}(?:anweisung\\w{0,3}|instruktion\\w{0,3}|regeln|vorgaben|prompts?)\\b`,
  ),
  rule(
    'ignore_instructions',
    0.9,
    ['ignore', 'oublie', 'pas compte'],
    `\\b(?:ignore[zr]?|oublie[zr]?|ne tiens? pas compte)\\s{1,3}${ANY}(?:instructions?|consignes?|regles|directives?)\\b`,
    ['ignore', 'oublie', 'ne tien'],
  ),
  rule(
    'ignore_instructions',
    0.9,
    ['ignor', 'olvid', 'desconsider', 'esquec', 'dimentica'],
    `\\b(?:ignor[ae]r?|olvid[ae]r?|desconsider[ae]|esquec[ae]|dimentica|ignori)\\s{1,3}${ANY}(?:instrucciones|instrucoes|istruzioni|reglas|regras|regole|indicaciones|ordenes)\\b`,
    ['ignor', 'olvid', 'desconsider', 'esquec', 'dimentica'],
  ),
  rule(
    'ignore_instructions',
    0.9,
    NOT_LATIN,
    '(?:忽略|无视|忘记|不要理会)[^\\n]{0,12}(?:指令|指示|提示|规则|说明)',
  ),
  rule(
    'ignore_instructions',
    0.9,
    NOT_LATIN,
    '(?:以前の|これまでの|上記の)[^\\n]{0,8}(?:指示|命令|ルール)[^\\n]{0,6}(?:無視|忘れ)',
  ),
  rule(
    'reveal_prompt',
    0.85,
    ['prompt', 'message', 'instruction', 'guideline', 'rules', 'text '],
    `\\b(?:reveal|show|print|repeat|output|display|tell|give|leak|expose|dump|share|write out|recite|what (?:is|are|was|were))\\s{1,3}${ANY}(?:system prompt|system message|hidden prompt|initial (?:prompt|instructions?)|your (?:original |secret |hidden |exact |full )?(?:instructions|prompt|guidelines|rules)|the (?:original|secret|hidden|exact|full|above) (?:instructions|prompt|guidelines)|the (?:instructions|prompt|text) (?:above|verbatim|you were given))\\b`,
    [
      'reveal',
      'show',
      'print',
      'repeat',
      'output',
      'display',
      'tell',
      'give',
      'leak',
      'expose',
      'dump',
      'share',
      'write out',
      'recite',
      'what ',
    ],
  ),
  rule(
    'reveal_prompt',
    0.8,
    ['above', 'before'],
    '\\b(?:repeat|print|output|copy)\\s{1,3}(?:everything|all(?: the)? (?:text|words)|the (?:text|words)|what (?:is|was)(?: written)?)\\s{1,3}(?:above|before)\\b',
    ['repeat', 'print', 'output', 'copy'],
  ),
  rule(
    'reveal_prompt',
    0.8,
    ['prompt', 'systemanweisung'],
    '\\b(?:zeig\\w{0,2}|nenn\\w{0,2}|verrat\\w{0,2}|muestra\\w{0,3}|revela\\w{0,3}|montre\\w{0,2}|affiche\\w{0,2}|mostra\\w{0,2})\\s{1,3}(?:\\S{1,20}\\s{1,3}){0,4}?(?:system-?prompt|prompt (?:del|de|du) (?:sistema|systeme)|systemanweisung\\w{0,2}|prompt systeme)\\b',
    ['zeig', 'nenn', 'verrat', 'muestra', 'revela', 'montre', 'affiche', 'mostra'],
  ),
  rule(
    'new_role',
    0.6,
    [
      'you are now',
      'from now on',
      'act as if',
      'pretend',
      'no longer',
      'simulate being',
      'du bist',
      'tu es maintenant',
      'ahora eres',
    ],
    "\\b(?:you are now|from now on,? you(?: are|'re| will)|act as if you (?:are|have|were)|pretend (?:to be|that you|you)|you (?:are|'re) no longer|simulate being|du bist (?:jetzt|ab jetzt|nun)|tu es maintenant|ahora eres|a partir de ahora eres)\\b",
    [
      'you are now',
      'from now on',
      'act as if',
      'pretend',
      'you are no longer',
      "you're no longer",
      'simulate being',
      'du bist',
      'tu es maintenant',
      'ahora eres',
      'a partir de ahora eres',
    ],
  ),
  rule(
    'jailbreak',
    0.85,
    [
      'do anything now',
      'dan mode',
      'developer mode',
      'jailbr',
      'god mode',
      'unrestricted',
      'no ethical',
      'no moral',
      'no content',
      'without',
      'evil',
      'opposite',
      'stan mode',
      'aim mode',
    ],
    '\\b(?:do anything now|dan mode|developer mode (?:enabled|on|output)|jailbreak (?:mode|prompt|yourself)|jailbroken (?:ai|model|assistant|mode)|god mode|unrestricted (?:mode|ai|assistant)|no (?:ethical|moral|content) (?:guidelines|restrictions|filters?|constraints|limits)|without (?:any )?(?:restrictions|censorship|filters?|ethical (?:guidelines|constraints))|(?:evil|opposite) (?:mode|confidant)|stan mode|aim mode)\\b',
  ),
  rule(
    'jailbreak',
    0.75,
    ['disable', 'turn off', 'remove', 'deactivate', 'bypass', 'circumvent'],
    '\\b(?:disable|turn off|remove|deactivate|bypass|circumvent)\\s{1,3}(?:\\S{1,20}\\s{1,3}){0,3}?(?:safety|content|ethic\\w{0,4}|moderation|guardrails?|censorship)\\s{0,3}(?:filters?|guidelines|settings|protocols?|measures|checks|policy|policies|restrictions)?\\b',
  ),
  rule(
    'fake_turn',
    0.75,
    ['<|', 'inst]', 'sys>>', '_of_turn>'],
    '<\\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\\|>|\\[/?INST\\]|<</?SYS>>|<(?:start|end)_of_turn>',
    ['<|', '[inst', '[/inst', '<<sys', '<</sys', '<start_of_turn', '<end_of_turn'],
  ),
  rule(
    'fake_turn',
    0.75,
    ['system', 'developer', 'admin'],
    '(?:^|\\n)\\s{0,4}(?:#{1,4}\\s{0,2}|\\*\\*|\\[|<)?(?:system|developer|admin(?:istrator)?)\\s{0,2}(?:message|prompt|instructions?|override|note)?\\s{0,2}(?:\\*\\*|\\]|>)?\\s{0,2}:\\s{0,2}(?=[^\\n]{0,80}(?:you|must|ignore|new|now|reveal|override))',
    null,
  ),
  rule(
    'new_instructions',
    0.7,
    ['instruction', 'directive', 'prompt'],
    '\\b(?:new|updated|revised|real|actual|true|important|urgent)\\s{1,3}(?:system\\s{1,3})?(?:instructions?|directives?|prompt)\\s{0,3}(?::|are\\b|follow\\b|from (?:the )?(?:admin|developer|system|openai|anthropic))',
    ['new', 'updated', 'revised', 'real', 'actual', 'true', 'important', 'urgent'],
  ),
  rule(
    'authority',
    0.5,
    ['developer', 'creator', 'admin', 'operator', 'employee', 'engineer'],
    "\\b(?:i am|i'm|this is)\\s{1,3}(?:your|the|an?)\\s{1,3}(?:\\S{1,15}\\s{1,3}){0,2}?(?:developer|creator|administrator|admin|system operator|openai (?:employee|engineer)|anthropic (?:employee|engineer))\\b",
    ['i am', "i'm", 'this is'],
  ),
  rule(
    'exfiltration',
    0.8,
    [
      'conversation',
      'chat history',
      'prompt',
      'api key',
      'credential',
      'password',
      'secret',
      'token',
      'data',
      'file',
      'environment variables',
    ],
    `\\b(?:send|post|forward|upload|transmit|exfiltrate|append|encode|e-?mail)\\s{1,3}${ANY}(?:conversation|chat history|system prompt|api keys?|credentials|passwords?|secrets?|tokens?|(?:user|customer) data|files?|environment variables)\\s{1,3}(?:to|into|as|in)\\s{1,3}(?:https?://|the (?:url|endpoint|server|webhook)|an? (?:url|image|external)|[\\w.+-]{1,40}@)`,
    ['send', 'post', 'forward', 'upload', 'transmit', 'exfiltrate', 'append', 'encode', 'email', 'e-mail'],
  ),
  rule(
    'exfiltration',
    0.7,
    ['!['],
    '!\\[[^\\]\\n]{0,100}\\]\\(https?://[^)\\s]{1,200}[?&][\\w-]{1,30}=(?:\\{|<|\\$|\\[|%7B)',
  ),
  rule(
    'conceal',
    0.6,
    ['tell', 'mention', 'inform', 'reveal', 'alert', 'notify'],
    "\\b(?:do not|don't|never|without)\\s{1,3}(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|alert(?:ing)?|notify(?:ing)?)\\s{1,3}(?:this to |it to |anything to )?(?:the )?(?:user|human|customer|operator)\\b",
    ['do not', "don't", 'never', 'without'],
  ),
];

const WORDS = [...new Set(RULES.flatMap(({ words, starts }) => [...(words ?? []), ...(starts ?? [])]))];
const search = createLiteralSearch(WORDS);
const RULES_BY_WORD = RULES.map((own) => ({
  ...own,
  numbers: own.words?.map((word) => WORDS.indexOf(word)) ?? null,
}));
/** For each word the rules that begin with it. */
const STARTED_BY = WORDS.map((word) => RULES.flatMap(({ starts }, i) => (starts?.includes(word) ? [i] : [])));
const OTHER_SCRIPT = /[^\0-\x7f]/;

/** The places of all signs in a view. What is hidden was meant to be, so that it makes surer. */
function signsIn({ text, at }: View, isHidden: boolean): Match[] {
  const isPresent = new Uint8Array(WORDS.length);
  const starts: number[][] = [];
  search.each(text, (word, start) => {
    isPresent[word] = 1;
    for (const rule of STARTED_BY[word] ?? []) {
      const own = starts[rule];
      if (own === undefined) starts[rule] = [start];
      else own.push(start);
    }
  });
  const hasOtherScript = OTHER_SCRIPT.test(text);
  const matches: Match[] = [];
  for (const [i, { type, weight, numbers, form, starts: own }] of RULES_BY_WORD.entries()) {
    const isPossible = numbers === null ? hasOtherScript : numbers.some((number) => isPresent[number] === 1);
    if (!isPossible) continue;
    const sure = isHidden ? Math.min(0.99, weight + 0.09) : weight;
    const toMatch = (found: RegExpExecArray): Match => placed(matchAt(found, type, sure), at);
    matches.push(
      ...(own === null ? matchesOf(text, form, toMatch) : matchesFrom(text, form, starts[i], toMatch)),
    );
  }
  return matches;
}

/** The matches of a sticky pattern at some places, none of which begins inside of another. */
function matchesFrom(
  text: string,
  pattern: RegExp,
  starts: number[] | undefined,
  toMatch: (found: RegExpExecArray) => Match,
): Match[] {
  const matches: Match[] = [];
  let last = 0;
  for (const start of starts?.sort((a, b) => a - b) ?? []) {
    if (start < last || matches.length >= MAX_MATCHES) continue;
    pattern.lastIndex = start;
    const found = pattern.exec(text);
    if (found === null) continue;
    last = pattern.lastIndex;
    matches.push(toMatch(found));
  }
  return matches;
}

export type InjectionFinding = { readonly score: number; readonly matches: readonly Match[] };

/** Hidden text is a sign by itself: nobody types tag characters. */
const TAG = /[\u{e0020}-\u{e007e}]{3}/u;

/**
 * Looks for attempts to change the instructions of a model. The score is from 0 to 1: signs of different types add up as
 * independent probabilities do. Rules know phrases and not intentions: they miss new ones, and a text about such
 * attacks contains them.
 */
export function detectInjection({ given, folded, hidden }: Views): InjectionFinding {
  const matches = [...signsIn(folded, false), ...hidden.flatMap((view) => signsIn(view, true))];
  const tags = TAG.exec(given);
  if (tags !== null) matches.push(matchAt(tags, 'hidden_text', 0.8));
  const best = new Map<string, number>();
  for (const { type, confidence } of matches) best.set(type, Math.max(best.get(type) ?? 0, confidence));
  const doubt = [...best.values()].reduce((left, weight) => left * (1 - weight), 1);
  return { score: Math.round((1 - doubt) * 1000) / 1000, matches: withoutOverlaps(matches) };
}

const placed = (match: Match, at: (start: number, end: number) => { start: number; end: number }): Match => ({
  ...match,
  ...at(match.start, match.end),
});
