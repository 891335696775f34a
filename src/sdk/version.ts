/** Version of this library; the same as in package.json. */
const SDK_VERSION = '0.2.0';

/** Sent in the field `sdk_version` of every event. */
export const SDK_NAME_AND_VERSION = `spanledger-js/${SDK_VERSION}`;
