/** Version of this library, the one of the package. */
const SDK_VERSION = '0.2.0';

/** What events carry in `sdk_version` (interface.md, Versioning). */
export const SDK_NAME_AND_VERSION = `spanledger-js/${SDK_VERSION}`;
