import { listen, type Module } from '../../module.ts';
import { organizationsChanged } from '../orgs/index.ts';
import { projectsChanged } from '../projects/index.ts';
import { createKey } from './create-key.ts';
import { expiryNoticeJob } from './expiry-notice.ts';
import { dropGrants, grantServices } from './grants.ts';
import { keysChanged } from './keys-changed.ts';
import { LISTED_DAYS } from './queries.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { keyRoutes } from './routes.ts';

export const keysModule: Module = {
  name: 'keys',
  tables: [
    {
      name: 'api_keys',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // Listed for a while after it was revoked or replaced. A replaced one lasts as long as the one that replaced it:
      // what names it, such as the filter of an alert, then also means the new one.
      retention: {
        ends: `CASE WHEN rotated_to IN (SELECT id FROM api_keys) THEN 9e15
          ELSE min(ifnull(valid_until, 9e15), ifnull(revoked_at, 9e15)) END`,
        keptDays: LISTED_DAYS,
      },
    },
  ],
  routes: keyRoutes,
  actions: [createKey, rotateKey, revokeKey],
  jobs: [expiryNoticeJob],
  services: grantServices,
  on: [
    listen(keysChanged, dropGrants),
    listen(projectsChanged, dropGrants),
    listen(organizationsChanged, dropGrants),
  ],
};

export { newKey } from './api-key.ts';
export { createKey } from './create-key.ts';
export { createKeyGuards } from './guard.ts';
export { keysChanged } from './keys-changed.ts';
export { noteKeyUse } from './note-key-use.ts';
export { findProjectOfKey, insertKey, listKeys, listReplacements } from './queries.ts';
export { revokeKey } from './revoke-key.ts';
export { rotateKey } from './rotate-key.ts';
export { keySubject } from './subject.ts';
