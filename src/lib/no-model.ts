/**
 * The model name in replies for calls without a model. It is a label and not a model: filters do not find these
 * calls by it, and no price can be set for it.
 */
export const NO_MODEL = 'unknown';
