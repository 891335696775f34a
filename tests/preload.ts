// Loaded before the tests of each process.
import fc from 'fast-check';
import { TEST_SEED } from './helpers/random.ts';

if (process.env.TEST_SEED === undefined) console.log(`TEST_SEED=${TEST_SEED}`);
fc.configureGlobal({ seed: TEST_SEED });

// Of this process only: the servers and commands that the helpers start run as they do elsewhere.
delete process.env.BUN_JSC_useFTLJIT;
