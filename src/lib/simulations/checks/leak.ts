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
const runsOf = (words: readonly { readonly word: string }[], length: number): string[] =>
  Array.from({ length: Math.max(0, words.length - length + 1) }, (_, i) =>
    words
      .slice(i, i + length)
      .map(({ word }) => word)
      .join(' '),
  );

type Leak = { readonly texts: readonly string[]; readonly words?: number | undefined };

/**
 * A search for secret text in answers: so many words in a row that a secret has, in any case and punctuation. A secret
 * with fewer words counts as a whole. Without secrets: what looks like a system prompt. Words of the user are no leak.
 * @returns what was found, or null
 */
export function createLeakCheck({
  texts,
  words: length = WORDS,
}: Leak): (answer: string, said: readonly string[]) => string | null {
  const secrets = texts.map(wordsOf).filter((words) => words.length > 0);
  const runs = new Map<number, Set<string>>();
  for (const words of secrets) {
    const size = Math.min(length, words.length);
    runs.set(size, new Set([...(runs.get(size) ?? []), ...runsOf(words, size)]));
  }
  return (answer, said) => {
    if (texts.length === 0)
      return SHOWN.map((pattern) => pattern.exec(answer)?.[0]).find((one) => one !== undefined) ?? null;
    const words = wordsOf(answer);
    for (const [size, known] of runs) {
      const own = new Set(said.flatMap((one) => runsOf(wordsOf(one), size)));
      const found = runsOf(words, size).findIndex((run) => known.has(run) && !own.has(run));
      if (found >= 0) return answer.slice(words[found]?.start, words[found + size - 1]?.end);
    }
    return null;
  };
}
