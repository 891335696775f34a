// Loaded before the tests of each process.
import fc from 'fast-check';
import { TEST_SEED } from './helpers/random.ts';

if (process.env.TEST_SEED === undefined) console.log(`TEST_SEED=${TEST_SEED}`);
fc.configureGlobal({ seed: TEST_SEED });

// The servers and commands that the helpers start end sooner still than this process, before either of the optimizing
// compilers has earned what it costs: a quarter of their CPU. tests/binary.test.ts starts the binary as users do.
if (process.env.BUN_JSC_useFTLJIT === '0') process.env.BUN_JSC_useDFGJIT = '0';
