import { defineEvent } from '../../context.ts';

/** Emitted when an organization, its members or its plan change. */
export const organizationsChanged = defineEvent('organizations.changed', 'all');
