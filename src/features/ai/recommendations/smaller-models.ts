/**
 * Smaller models of the same family, from the names of models: the part that names the size is replaced. The first
 * one that has a lower price for the same tokens is recommended.
 */
const FAMILIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(gpt-4o)$/, ['$1-mini']],
  [/^(gpt-4\.1|gpt-5)$/, ['$1-mini', '$1-nano']],
  [/^(gpt-4\.1|gpt-5)-mini$/, ['$1-nano']],
  [/^(gpt-5\.\d)$/, ['$1-mini', '$1-nano', 'gpt-5-mini']],
  [/^o([134])$/, ['o$1-mini', 'o4-mini']],
  [/^claude-opus-(4-\d+)$/, ['claude-sonnet-$1', 'claude-sonnet-4-5']],
  [/^claude-sonnet-(4-\d+)$/, ['claude-haiku-$1', 'claude-haiku-4-5']],
  [/^claude-(\d-\d)-sonnet$/, ['claude-$1-haiku', 'claude-3-5-haiku']],
  [/^(gemini-\d(?:\.\d)?)-pro$/, ['$1-flash', '$1-flash-lite']],
  [/^(gemini-\d(?:\.\d)?)-flash$/, ['$1-flash-lite']],
  [/^mistral-large$/, ['mistral-small']],
];

/** Dates and `-latest` at the end do not tell models apart here. */
const plainName = (model: string): string =>
  model.toLowerCase().replace(/-(?:latest|20\d{2}-?\d{2}-?\d{2}|preview(?:-\d{2}-\d{2})?)$/, '');

/** Names of smaller models than this one, the largest first; empty if none is known. */
export function smallerModels(model: string): string[] {
  const name = plainName(model);
  return FAMILIES.flatMap(([pattern, smaller]) =>
    pattern.test(name) ? smaller.map((to) => name.replace(pattern, to)) : [],
  );
}
