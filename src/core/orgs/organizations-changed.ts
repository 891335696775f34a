import { defineEvent } from '../../context.ts';

/** An organization, its members or its plan changed. */
export const organizationsChanged = defineEvent('organizations.changed');
