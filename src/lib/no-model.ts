/**
 * What replies call the model of calls that name none (the interface's word). It is no model's name: no filter
 * finds those calls by it, and no price can be set for it.
 */
export const NO_MODEL = 'unknown';
