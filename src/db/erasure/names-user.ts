/**
 * SQL conditions of `eraseUser` rules, in which `erased.user_id` is the id of the end user that is erased. A short id
 * could be part of any word, a number or a tag's value: it is looked for only where a user is meant.
 */
const IS_LONG = 'length(erased.user_id) >= 8';

/** Whether a text contains the id. */
export const textNamesUser = (text: string): string => `(${IS_LONG} AND instr(${text}, erased.user_id) > 0)`;

/** A text as words, without the quotes, colons and commas of a filter. */
const words = (text: string): string =>
  `' ' || replace(replace(replace(${text}, '"', ' '), ':', ' '), ',', ' ') || ' '`;

/** Whether a filter in the filter language asks for the user. */
export const filterNamesUser = (filter: string): string =>
  `(${textNamesUser(filter)}
    OR (instr(${filter}, 'user:') > 0 AND instr(${words(filter)}, ${words('erased.user_id')}) > 0))`;

/** Whether a tag as `name=value` has the id as its value. */
export const tagNamesUser = (tag: string): string =>
  `(${IS_LONG} AND substr(${tag}, -length(erased.user_id) - 1) = '=' || erased.user_id)`;

/** A condition in which `erased.user_id` is known, with one `?` for it. */
export const ofErased = (condition: string): string =>
  `EXISTS (SELECT 1 FROM (SELECT ? AS user_id) AS erased WHERE ${condition})`;
