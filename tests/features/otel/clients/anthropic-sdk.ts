import Anthropic from '@anthropic-ai/sdk';
import { runAnthropic } from './run-anthropic.ts';
import { startTelemetry } from './setting.ts';

// The SDK creates spans as soon as a tracer provider is registered.
const sdk = startTelemetry('protobuf');
await runAnthropic(Anthropic);
await sdk.shutdown();
