import { defineEvent } from '../../context.ts';

/** Emitted when an access token is created or revoked. */
export const accessTokensChanged = defineEvent('access-tokens.changed', 'all');
