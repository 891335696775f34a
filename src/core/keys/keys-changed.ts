import { defineEvent } from '../../context.ts';

/** A project key was created, rotated or revoked. */
export const keysChanged = defineEvent('keys.changed');
