import type { World } from './world.ts';

const BATCHES = 200;
const DAY_MS = 86_400_000;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4'];

/** Stores 20,000 events of 60 days in the attacker's project, so that its reads have work to do. */
export async function fillProject({ url, attacker }: World): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const lines = Array.from({ length: 100 }, (_, i) =>
      JSON.stringify({
        provider: 'openai',
        model: MODELS[i % MODELS.length],
        input_tokens: 100 + i,
        output_tokens: 10,
        user_id: `user-${(batch * 100 + i) % 500}`,
        status: i % 10 === 0 ? 'error' : 'success',
        error_code: i % 10 === 0 ? 'timeout' : null,
        timestamp: new Date(Date.now() - ((batch * 100 + i) % 60) * DAY_MS).toISOString(),
        metadata: { note: 'n'.repeat(300) },
      }),
    );
    const headers = { 'x-api-key': attacker.apiKeys[batch % attacker.apiKeys.length] ?? '' };
    await fetch(`${url}/v1/ingest`, { method: 'POST', headers, body: lines.join('\n') });
  }
  const exhausted = { 'x-api-key': attacker.exhaustedKey };
  const event = JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1 });
  await fetch(`${url}/v1/ingest`, { method: 'POST', headers: exhausted, body: event });
}
