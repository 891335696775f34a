import { AnthropicInstrumentation } from '@traceloop/instrumentation-anthropic';
// It breaks with version 1 of the SDK.
import * as anthropic from 'anthropic-sdk-0';
import { runAnthropic } from './run-anthropic.ts';
import { startTelemetry } from './setting.ts';

const sdk = startTelemetry('protobuf');
new AnthropicInstrumentation().manuallyInstrument(anthropic as never);
await runAnthropic(anthropic.default as never);
await sdk.shutdown();
