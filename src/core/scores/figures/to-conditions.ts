import type { Condition } from '../../events/filter/contract.ts';
import type { EventFilters } from '../../events/index.ts';

/** Filters of events as conditions, which scores understand or refuse. */
export function toConditions(filters: EventFilters): Condition[] {
  const { userId, sessionId, errorCode, keyId, tag, where = [], ...same } = filters;
  const [tagName = '', ...tagValue] = (tag ?? '').split('=');
  const fields = {
    ...same,
    ...{ user: userId, session: sessionId, error: errorCode, key: keyId },
    ...(tag === undefined ? {} : { [`tag.${tagName}`]: tagValue.join('=') }),
  };
  const plain = Object.entries(fields).flatMap(([field, value]): Condition[] =>
    value === undefined ? [] : [{ field: field as Condition['field'], not: false, values: [value].flat() }],
  );
  return [...plain, ...where];
}
