import { version } from '../package.json';

// Written into the binary by build.ts; run from source, neither exists.
declare const BUILD_COMMIT: string | undefined;
declare const BUILD_SQLITE: string | undefined;

/** What this build is made of; `commit` and `sqlite` are null when it runs from source. */
export interface VersionInfo {
  readonly name: 'spanledger';
  readonly version: string;
  readonly commit: string | null;
  readonly bun: string;
  readonly sqlite: string | null;
}

export const versionInfo = (): VersionInfo => ({
  name: 'spanledger',
  version,
  commit: typeof BUILD_COMMIT === 'string' ? BUILD_COMMIT : null,
  bun: Bun.version,
  sqlite: typeof BUILD_SQLITE === 'string' ? BUILD_SQLITE : null,
});
