import { version } from '../package.json';

// Set by build.ts in the binary; undefined when run from source.
declare const BUILD_COMMIT: string | undefined;
declare const BUILD_SQLITE: string | undefined;

/** Versions of this build; `commit` and `sqlite` are null when run from source. */
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
