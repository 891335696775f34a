import Anthropic from '@anthropic-ai/sdk';
import { runAnthropic } from './run-anthropic.ts';
import { startTelemetry } from './setting.ts';

// The SDK makes spans of its own as soon as a provider is registered.
const sdk = startTelemetry('protobuf');
await runAnthropic(Anthropic);
await sdk.shutdown();
