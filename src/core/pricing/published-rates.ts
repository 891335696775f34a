/**
 * US dollars per million tokens of OpenAI's priority processing: input, cached input (null: none), output
 * (openai.com/api-priority-processing). It excludes long contexts.
 */
export const PRIORITY_RATES: Readonly<Record<string, readonly [number, number | null, number]>> = {
  'gpt-5.5': [12.5, 1.25, 75],
  'gpt-5.4': [5, 0.5, 30],
  'gpt-5.4-mini': [1.5, 0.15, 9],
  'gpt-5.2': [3.5, 0.35, 28],
  'gpt-5.1': [2.5, 0.25, 20],
  'gpt-5': [2.5, 0.25, 20],
  'gpt-5-mini': [0.45, 0.045, 3.6],
  'gpt-4.1': [3.5, 0.875, 14],
  'gpt-4.1-mini': [0.7, 0.175, 2.8],
  'gpt-4.1-nano': [0.2, 0.05, 0.8],
  'gpt-4o': [4.25, 2.125, 17],
  'gpt-4o-2024-05-13': [8.75, null, 26.25],
  'gpt-4o-mini': [0.25, 0.125, 1],
  o3: [3.5, 0.875, 14],
  'o4-mini': [2, 0.5, 8],
};

/**
 * Factor of Anthropic's fast mode on the standard token prices, for inputs of any length
 * (platform.claude.com/docs, Fast mode).
 */
export const FAST_FACTORS: Readonly<Record<string, number>> = {
  'claude-opus-4-6': 6,
  'claude-opus-4-7': 6,
  'claude-opus-4-8': 2,
  'claude-opus-5': 2,
};

/**
 * Prices that providers publish and the catalogue lacks, by its ids of provider and model and in its keys: US dollars
 * per million tokens (platform.openai.com/docs/pricing, Audio tokens).
 */
export const MISSING_RATES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'openai/gpt-4o-audio-preview': { input_audio_mtok: 40, output_audio_mtok: 80 },
  'openai/gpt-4o-mini-audio-preview': { input_audio_mtok: 10, output_audio_mtok: 20 },
};
