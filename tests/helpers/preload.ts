import { setDefaultTimeout } from 'bun:test';

// A hang is a defect and ends a test; a slow machine is none. Most tests start processes or hash passwords.
setDefaultTimeout(60_000);
