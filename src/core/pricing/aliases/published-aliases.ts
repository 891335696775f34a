import type { Alias, AliasTarget } from './alias.ts';

const alias = (provider: string, name: string, targets: readonly AliasTarget[]): Alias => ({
  provider,
  name,
  targets,
});

/**
 * DeepSeek upgraded both names together (api-docs.deepseek.com/updates). The prices of its models before V4 are from
 * its announcements: V3.1 from 5 September 2025, 16:00 UTC, V3.2-Exp from 29 September 2025; V3.2 cost the same. The
 * names were retired on 24 July 2026.
 */
const DEEPSEEK: readonly AliasTarget[] = [
  {
    from: '2025-09-05T16:00:00Z',
    model: 'DeepSeek-V3.1',
    prices: { input_mtok: 0.56, cache_read_mtok: 0.07, output_mtok: 1.68 },
  },
  {
    from: '2025-09-29',
    model: 'DeepSeek-V3.2',
    prices: { input_mtok: 0.28, cache_read_mtok: 0.028, output_mtok: 0.42 },
  },
  { from: '2026-04-24', model: 'deepseek-v4-flash' },
];

/**
 * Names that providers document as moving, where the catalogue lists no price or that of another model. Sources: the
 * change logs of DeepSeek, the Gemini API and Mistral, and OpenAI's model pages. `from` is the documented day of the
 * change, otherwise the day on which the model was released; `surely` then is the first day on which the change is
 * known to have happened.
 */
export const PUBLISHED_ALIASES: readonly Alias[] = [
  // The catalogue takes it for version 1, at five times the price.
  alias('aws', 'amazon.titan-embed-text-v2:0', [
    { from: '2024-04-30', model: 'amazon.titan-embed-text-v2:0', prices: { input_mtok: 0.02 } },
  ]),
  alias('deepseek', 'deepseek-chat', [{ from: '2025-02-08', model: 'deepseek-chat' }, ...DEEPSEEK]),
  alias('deepseek', 'deepseek-reasoner', [{ from: '2025-01-20', model: 'deepseek-reasoner' }, ...DEEPSEEK]),
  alias('google', 'gemini-flash-latest', [
    { from: '2025-09-25', model: 'gemini-2.5-flash' },
    { from: '2025-12-17', model: 'gemini-3-flash-preview', surely: '2026-01-21' },
    { from: '2026-05-19', model: 'gemini-3.5-flash', surely: '2026-06-24' },
    { from: '2026-07-21', model: 'gemini-3.6-flash', surely: '2026-08-13' },
    { from: '2026-08-13', model: 'gemini-3.7-flash', surely: '2026-08-21' },
    { from: '2026-09-02', model: 'gemini-3.8-flash', surely: '2026-09-20' },
  ]),
  alias('google', 'gemini-flash-lite-latest', [
    { from: '2025-09-25', model: 'gemini-2.5-flash-lite' },
    { from: '2026-03-03', model: 'gemini-3.1-flash-lite', surely: '2026-07-14' },
    { from: '2026-07-21', model: 'gemini-3.5-flash-lite', surely: '2026-08-21' },
  ]),
  alias('google', 'gemini-pro-latest', [
    { from: '2025-11-18', model: 'gemini-3-pro-preview', surely: '2026-01-21' },
    { from: '2026-02-19', model: 'gemini-3.1-pro-preview', surely: '2026-03-09' },
  ]),
  alias('mistral', 'mistral-large-latest', [
    { from: '2024-11-18', model: 'mistral-large' },
    { from: '2025-12-02', model: 'mistral-large-2512' },
  ]),
  alias('mistral', 'mistral-small-latest', [
    { from: '2025-01-30', model: 'mistral-small-latest' },
    { from: '2026-03-16', model: 'mistral-small-2603', surely: '2026-04-30' },
  ]),
  alias('mistral', 'codestral-latest', [
    { from: '2025-01-13', model: 'codestral' },
    { from: '2025-07-30', model: 'codestral-2508' },
  ]),
  alias('mistral', 'devstral-medium-latest', [{ from: '2025-12-09', model: 'devstral-2512' }]),
  alias('mistral', 'devstral-latest', [{ from: '2025-12-09', model: 'devstral-2512' }]),
  alias('mistral', 'ministral-3b-latest', [
    { from: '2024-10-16', model: 'ministral-3b' },
    { from: '2025-12-02', model: 'ministral-3b-2512' },
  ]),
  alias('mistral', 'ministral-14b-latest', [{ from: '2025-12-02', model: 'ministral-14b-2512' }]),
  alias('openai', 'gpt-4o', [
    { from: '2024-05-13', model: 'gpt-4o-2024-05-13' },
    { from: '2024-10-02', model: 'gpt-4o' },
  ]),
  alias('openai', 'chatgpt-image-latest', [{ from: '2025-12-16', model: 'gpt-image-1.5' }]),
];
