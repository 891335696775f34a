import { TimeLimitError } from '../../detect/content/pattern.ts';
import { budgetOf } from '../../pace/budget.ts';

/** What an answer that shows its system prompt looks like. Each is matched in linear time: no nested repetitions. */
const SHOWN: readonly RegExp[] = [
  /\b(?:here (?:is|are)|these are|this is|sure[,:]?) (?:my|the) (?:\w+ )?(?:system prompt|system message|hidden instructions|initial instructions|instructions (?:i was|i've been) given)\b/i,
  /\bmy (?:\w+ )?(?:system prompt|system message|initial instructions|hidden instructions)(?: \w+)? (?:is|are|says?|reads?|states?|tells? me)\b/i,
  /\bi (?:was|am|have been) (?:instructed|told|configured|prompted) (?:as follows|with the following|by the following)\b/i,
  /(?:^|[.!:"'`\n]\s{0,5})you are (?:an? |the )?[\w', -]{0,60}(?:assistant|agent|chatbot|bot)\b[^?]{0,200}\b(?:never|always|must|do not|don't)\b/i,
  /<\/?(?:system|system_prompt|instructions)>/i,
];

const WORDS = 8;
const wordsOf = (text: string): { word: string; start: number; end: number }[] =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map((found) => ({
    word: found[0],
    start: found.index,
    end: found.index + found[0].length,
  }));

type Words = ReturnType<typeof wordsOf>;

/** All runs of `length` words as texts. They are parts of one text, because joining each would take `length` times as long. */
function* runsOf(words: Words, length: number): Generator<string, void> {
  const text = words.map(({ word }) => word).join(' ');
  let start = 0;
  let end = -1;
  for (const [i, { word }] of words.entries()) {
    end += word.length + 1;
    if (i < length - 1) continue;
    yield text.slice(start, end);
    start += (words[i - length + 1]?.word.length ?? 0) + 1;
  }
}

/** Most milliseconds that a search may take: lengths of up to 50 secrets times a long answer. */
const SEARCH_MS = 200;

type Leak = { readonly texts: readonly string[]; readonly words?: number | undefined };

/**
 * A search for secret text in answers: so many words in a row that a secret has, in any case and punctuation. A secret
 * with fewer words counts as a whole. Without secrets: what looks like a system prompt. Words of the user are no leak.
 * @returns what was found, or null; it throws TimeLimitError for many secrets and a long answer
 */
export function createLeakCheck({
  texts,
  words: length = WORDS,
}: Leak): (answer: string, said: readonly string[]) => string | null {
  const secrets = texts.map(wordsOf).filter((words) => words.length > 0);
  const runs = new Map<number, Set<string>>();
  for (const words of secrets) {
    const size = Math.min(length, words.length);
    const known = runs.get(size) ?? new Set();
    for (const run of runsOf(words, size)) known.add(run);
    runs.set(size, known);
  }
  return (answer, said) => {
    if (texts.length === 0)
      return SHOWN.map((pattern) => pattern.exec(answer)?.[0]).find((one) => one !== undefined) ?? null;
    const budget = budgetOf(SEARCH_MS);
    const words = wordsOf(answer);
    const ofUser = once(() => said.map(wordsOf));
    for (const [size, known] of runs) {
      if (budget.isSpent()) throw new TimeLimitError(`the search took longer than ${SEARCH_MS} ms`);
      const own = once(() => new Set(ofUser().flatMap((one) => [...runsOf(one, size)])));
      let at = 0;
      for (const run of runsOf(words, size)) {
        if (known.has(run) && !own().has(run))
          return answer.slice(words[at]?.start, words[at + size - 1]?.end);
        at++;
      }
    }
    return null;
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
