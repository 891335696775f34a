import { type Provider, waitForUpdate } from '@pydantic/genai-prices';

const providers: readonly Provider[] = (await waitForUpdate()) ?? [];

/**
 * The providers with the prices of their models, as genai-prices lists them. In the binary, the build replaces this
 * file: there the list is compressed and read at the first call, because most processes price nothing.
 */
export const builtInProviders = (): readonly Provider[] => providers;
