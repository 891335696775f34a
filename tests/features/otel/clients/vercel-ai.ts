import { createOpenAI } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { embed, generateText, isStepCount, registerTelemetry, streamText, tool } from 'ai';
import { z } from 'zod';
import { drain, failing, OPENAI, prompt, startTelemetry, TIMEOUT_MS } from './setting.ts';

const sdk = startTelemetry('environment');
registerTelemetry(new OpenTelemetry());
const openai = createOpenAI({ apiKey: OPENAI.apiKey, baseURL: OPENAI.baseURL });
const base = { model: openai.chat('gpt-4o'), maxRetries: 0 };
const get_weather = tool({ inputSchema: z.object({ city: z.string() }), execute: () => prompt('rain') });

// Two calls make the third: one that asks for the tool, and one with its result.
await generateText({ ...base, prompt: prompt('hello') });
await drain(streamText({ ...base, prompt: prompt('hello') }).textStream);
await generateText({ ...base, prompt: prompt('#tool'), tools: { get_weather }, stopWhen: isStepCount(3) });
await embed({ model: openai.embedding('text-embedding-3-small'), value: prompt('embed') });
await failing(() => generateText({ ...base, prompt: prompt('#429') }));
await failing(() =>
  generateText({ ...base, prompt: prompt('#hang'), abortSignal: AbortSignal.timeout(TIMEOUT_MS) }),
);
await sdk.shutdown();
