import { createRequire } from 'node:module';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import type OpenAI from 'openai';
import { runOpenai } from './run-openai.ts';
import { startTelemetry } from './setting.ts';

const sdk = startTelemetry('json', [new OpenAIInstrumentation()]);
// Required after the start: the instrumentation hooks into require.
const loaded = createRequire(import.meta.url)('openai') as { OpenAI: typeof OpenAI };
await runOpenai(loaded.OpenAI);
await sdk.shutdown();
