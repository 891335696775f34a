import { defineSubject } from '../audit/index.ts';
import { bookmarks, comments } from './table.ts';

/** What the audit log shows. Neither texts nor sessions: both may name an end user, and the log forgets nobody. */
export const commentSubject = defineSubject('comment', comments, ['traceId', 'spanId', 'createdBy']);
export const bookmarkSubject = defineSubject('bookmark', bookmarks, ['traceId', 'spanId', 'createdBy']);
