import { defineEvent } from '../../context.ts';

/** A part of an organization's month was used up of which people are told. */
export const quotaWarned = defineEvent('quota.warned');
