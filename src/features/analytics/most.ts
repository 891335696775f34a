/** Models and error groups that a reply tells one by one: it has an end. */
export const MOST_MODELS = 1_000;
export const MOST_ERROR_GROUPS = 1_000;
