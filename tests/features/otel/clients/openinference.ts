import Anthropic from '@anthropic-ai/sdk';
import { setSession, setTags, setUser } from '@arizeai/openinference-core';
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { context } from '@opentelemetry/api';
import OpenAI from 'openai';
import { runAnthropic } from './run-anthropic.ts';
import { runOpenai } from './run-openai.ts';
import { startTelemetry } from './setting.ts';

const sdk = startTelemetry('json');
new OpenAIInstrumentation().manuallyInstrument(OpenAI);
new AnthropicInstrumentation().manuallyInstrument(Anthropic);
const person = setUser(setSession(context.active(), { sessionId: 's1' }), { userId: 'u1' });
await context.with(setTags(person, ['beta']), async () => {
  await runOpenai(OpenAI);
  await runAnthropic(Anthropic);
});
await sdk.shutdown();
