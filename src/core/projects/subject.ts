import { defineSubject } from '../audit/index.ts';
import { projects } from './table.ts';

/** What the audit log shows of a project. */
export const projectSubject = defineSubject('project', projects, ['name', 'organizationId', 'deletedAt']);
