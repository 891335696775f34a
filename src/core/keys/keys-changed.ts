import { defineEvent } from '../../context.ts';

/** Emitted when a project key is created, rotated or revoked. */
export const keysChanged = defineEvent('keys.changed', 'all');
