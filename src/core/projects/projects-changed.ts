import { defineEvent } from '../../context.ts';

/** A project was created, changed or deleted, or its settings were. */
export const projectsChanged = defineEvent('projects.changed', 'all');
