/** Scripts that only one language of the list uses, or one above all. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['el', /\p{Script=Greek}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['th', /\p{Script=Thai}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['bn', /\p{Script=Bengali}/u],
  ['ta', /\p{Script=Tamil}/u],
];

const words = (text: string): readonly string[] => text.split(' ');

/** The most frequent words of languages that share a script. */
const FREQUENT: Readonly<Record<string, readonly string[]>> = {
  en: words(
    'the a and of to in is that it for you was with on are this have be not they at from but what your can please would how my do i we an will if there which',
  ),
  de: words(
    'der die das und ist nicht ich zu den mit sie ein eine auf für es im von dem wir auch wie aber bitte kann haben werden sind mein ihr wird noch nach bei einen des uns wenn oder',
  ),
  fr: words(
    'le la les et est pas je que des une pour dans vous avec sur nous ce qui mon du au il elle mais plus sont cette aux être avoir merci votre comment ne se son en',
  ),
  es: words(
    'el la los las y es no que de en por con para una un se mi lo como pero más está son del al gracias su usted puede cómo quiero hola me este esta todo muy también',
  ),
  pt: words(
    'o a os as e é não que de em por com para uma um se meu como mas mais está são do da no na obrigado seu você pode quero olá me este esta tudo muito também ao',
  ),
  it: words(
    'il la gli le e è non che di in per con una un si mio come ma più sono del della nel grazie suo lei può vorrei ciao mi questo questa tutto molto anche alla dei ho',
  ),
  nl: words(
    'de het een en is niet ik van te dat in op met voor zijn je we maar ook kan naar dit er om wat mijn hebben wordt uw aan als bij nog graag geen hoe was',
  ),
  sv: words(
    'och att det är inte jag en ett på som för med den till av har vi du om men kan så mitt från hur vill ska vara var ni sig här tack eller efter',
  ),
  da: words(
    'og at det er ikke jeg en et på som for med den til af har vi du om men kan så min fra hvordan vil skal være var sig her tak eller efter hvad',
  ),
  no: words(
    'og at det er ikke jeg en et på som for med den til av har vi du om men kan så min fra hvordan vil skal være var seg her takk eller etter hva',
  ),
  fi: words(
    'ja on ei en se että oli hän mutta kun niin mitä minä sinä ovat tämä voi myös kuin jos minun kanssa olen kiitos miten vain nyt siitä sen ole joka',
  ),
  pl: words(
    'i w nie na to jest się z do że co jak tak ale po czy od za już dla mi proszę może mam ten ta są był przez tego które jestem być dziękuję oraz',
  ),
  cs: words(
    'a je se v na to že s z do jak ale si po tak co pro jsem mi by už nebo jako být které děkuji jsou byl má ve od prosím kde mám',
  ),
  ro: words(
    'și în nu este de la că cu pe pentru o un mai ce din sunt care dar se am ai fi sau prin cum vă mulțumesc acest această către',
  ),
  hu: words(
    'a az és nem is hogy van egy de meg csak mit én te ez azt volt kell már még mint vagy lehet köszönöm hogyan szeretnék vagyok ki el fel',
  ),
  tr: words(
    've bir bu da de için ne ben sen o var mı mi ile çok gibi daha ama değil nasıl olarak kadar teşekkürler lütfen olan benim istiyorum her en',
  ),
  id: words(
    'dan yang di itu ini tidak untuk dengan saya anda ada dari ke akan bisa pada juga apa kami sudah bagaimana terima kasih tolong atau adalah dalam',
  ),
  vi: words(
    'và của là không có cho tôi bạn được một này với các trong những người để thì đã đó như cảm ơn làm sao muốn ở khi rất',
  ),
  ru: words(
    'и в не на я что с это как а то по но мы вы он она из у за от так для же все мне есть бы если спасибо можно пожалуйста',
  ),
  uk: words(
    'і в не на я що з це як а то по але ми ви він вона із у за від так для же все мені є би якщо дякую можна будь ласка та',
  ),
  ar: words(
    'في من على إلى أن هذا هذه ما لا هل كيف مع عن كان التي الذي أنا هو هي لم قد كل يمكن شكرا بعد أو ثم',
  ),
  fa: words('در از به که این را با است برای آن یک من تا می هم شما چه بر خود کرد بود شده سلام ممنون چگونه ها'),
};

const NAMES = Object.keys(FREQUENT);
/** The languages in which each of these words is frequent, by their numbers. */
const LANGUAGES_OF = new Map<string, number[]>();
for (const [language, frequent] of Object.values(FREQUENT).entries()) {
  for (const word of new Set(frequent)) {
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);
  }
}
const MAX_WORD = Math.max(...[...LANGUAGES_OF.keys()].map(({ length }) => length));

/** The languages that are told apart, by ISO 639-1. */
export const LANGUAGES: readonly string[] = [
  ...new Set([...SCRIPTS.map(([language]) => language), ...Object.keys(FREQUENT)]),
].sort();

/** What a text's language is, from 0 (unknown) to 1. */
export type LanguageFinding = { readonly language: string | null; readonly confidence: number };

/** Only the start of a text is read: enough to tell its language. */
const MAX_READ = 4_000;
const MIN_LETTERS = 12;
/** A letter that is neither ASCII nor of another alphabet of Latin. */
const BEYOND_LATIN = /[\u0250-\uffff]/;

/** What a character is, as bits: a letter, a mark, and from `SCRIPT` on one for each of the scripts. */
const [LETTER, MARK, KNOWN, SCRIPT] = [1, 2, 4, 8];
const IS_LETTER = /\p{L}/u;
const IS_MARK = /\p{M}/u;
/** The kinds of UTF-16 units, looked up as they are met. */
let kinds: Uint16Array | undefined;

function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  kinds ??= new Uint16Array(65_536);
  const known = kinds[code] as number;
  if (known !== 0) return known;
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  const kind = kindOfCharacter(isHalf ? String.fromCodePoint(text.codePointAt(at) ?? 0) : (text[at] ?? ''));
  if (!isHalf) kinds[code] = kind;
  return kind;
}

const kindOfCharacter = (character: string): number =>
  SCRIPTS.reduce(
    (kind, [, script], i) => kind | (script.test(character) ? SCRIPT << i : 0),
    KNOWN | (IS_LETTER.test(character) ? LETTER : 0) | (IS_MARK.test(character) ? MARK : 0),
  );

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/**
 * Tells the language of a text by its script and its most frequent words. Texts of few words, and languages that are
 * not in the list, are unknown.
 */
export function detectLanguage(text: string): LanguageFinding {
  const read = text.slice(0, MAX_READ).normalize('NFC');
  const { letters, ofScripts } = countCharacters(read);
  if (letters === 0) return UNKNOWN;
  const byScript = BEYOND_LATIN.test(read) ? languageOfScript(ofScripts, letters) : null;
  if (byScript !== null) return byScript;
  return letters < MIN_LETTERS ? UNKNOWN : languageOfWords(read.toLowerCase());
}

const UNKNOWN: LanguageFinding = { language: null, confidence: 0 };

function countCharacters(read: string): { letters: number; ofScripts: readonly number[] } {
  let letters = 0;
  const ofScripts = SCRIPTS.map(() => 0);
  for (let at = 0; at < read.length; at++) {
    const kind = kindOf(read, at);
    if ((kind & LETTER) !== 0) letters++;
    if (kind >= SCRIPT) {
      for (let i = 0; i < ofScripts.length; i++)
        if ((kind & (SCRIPT << i)) !== 0) ofScripts[i] = (ofScripts[i] ?? 0) + 1;
    }
    if (kind === KNOWN || read.charCodeAt(at) < 0xd800) continue;
    at += widthAt(read, at) - 1;
  }
  return { letters, ofScripts };
}

function languageOfScript(counts: readonly number[], letters: number): LanguageFinding | null {
  for (const [i, [language]] of SCRIPTS.entries()) {
    const share = (counts[i] ?? 0) / letters;
    // Japanese texts have a few kana among many characters that Chinese has too.
    if (share > (language === 'ja' ? 0.1 : 0.4))
      return { language, confidence: Math.min(1, 0.6 + share / 2) };
  }
  return null;
}

/** By the words that begin with a letter and go on with letters and marks. */
function languageOfWords(lower: string): LanguageFinding {
  const hits = NAMES.map(() => 0);
  let words = 0;
  for (let start = 0; start < lower.length; ) {
    if ((kindOf(lower, start) & LETTER) === 0) {
      start += widthAt(lower, start);
      continue;
    }
    let end = start;
    while (end < lower.length && (kindOf(lower, end) & (LETTER | MARK)) !== 0) end += widthAt(lower, end);
    words++;
    const languages = end - start > MAX_WORD ? undefined : LANGUAGES_OF.get(lower.slice(start, end));
    for (const language of languages ?? []) hits[language] = (hits[language] ?? 0) + 1;
    start = end;
  }
  const most = Math.max(...hits);
  const best = hits.indexOf(most);
  const second = Math.max(...hits.filter((_, language) => language !== best));
  // As many words of two languages tell neither.
  if (most < 2 || most / words < 0.08 || second === most) return UNKNOWN;
  const lead = (most - second) / most;
  const confidence = Math.min(1, 0.4 + lead / 2 + Math.min(0.3, most / words));
  return { language: NAMES[best] ?? null, confidence: Math.round(confidence * 100) / 100 };
}
