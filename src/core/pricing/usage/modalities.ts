import { objectAt, type RawUsage, toCount } from './raw-usage.ts';

/** Token counts of media, each a part of a bucket that includes it. */
export type MediaParts = {
  /** Parts of `fresh`. */
  readonly audioInput: number;
  readonly imageInput: number;
  readonly videoInput: number;
  /** Parts of `cacheRead`. */
  readonly audioCached: number;
  readonly imageCached: number;
  /** Parts of `output`. */
  readonly audioOutput: number;
  readonly imageOutput: number;
  readonly videoOutput: number;
};

/** The bucket that includes a part. */
export const PARENTS = {
  audioInput: 'fresh',
  imageInput: 'fresh',
  videoInput: 'fresh',
  audioCached: 'cacheRead',
  imageCached: 'cacheRead',
  audioOutput: 'output',
  imageOutput: 'output',
  videoOutput: 'output',
} as const satisfies Record<keyof MediaParts, string>;

export type MediaPart = keyof typeof PARENTS;
export const MEDIA_PARTS = Object.keys(PARENTS) as readonly MediaPart[];

type Media = { readonly audio: number; readonly image: number; readonly video: number };

/** OpenAI's details of input or output, and LangChain's names of the same. */
const readDetails = (details: RawUsage): Media => ({
  audio: toCount(details.audio_tokens ?? details.audio),
  image: toCount(details.image_tokens),
  video: toCount(details.video_tokens),
});

/** The first object under one of some keys. */
function firstOf(usage: RawUsage, ...keys: readonly string[]): RawUsage {
  const key = keys.find((name) => name in usage);
  return key === undefined ? {} : objectAt(usage, key);
}

/** Gemini's list of `{ modality, tokenCount }`. Documents count as text: they have no price of their own. */
function readModalities(usage: RawUsage, ...keys: readonly string[]): Media {
  const found = { audio: 0, image: 0, video: 0 };
  for (const key of keys) {
    const list = usage[key];
    for (const entry of Array.isArray(list) ? list.slice(0, 20) : []) {
      const { modality, tokenCount } = (entry ?? {}) as RawUsage;
      const name = typeof modality === 'string' ? modality.toLowerCase() : '';
      if (name === 'audio' || name === 'image' || name === 'video') found[name] += toCount(tokenCount);
    }
  }
  return found;
}

type Sides = { readonly input: Media; readonly cached: Media; readonly output: Media };

function sidesOf(usage: RawUsage): Sides {
  if (typeof usage.promptTokenCount === 'number') {
    return {
      input: readModalities(usage, 'promptTokensDetails', 'toolUsePromptTokensDetails'),
      cached: readModalities(usage, 'cacheTokensDetails'),
      output: readModalities(usage, 'candidatesTokensDetails', 'responseTokensDetails'),
    };
  }
  const input = firstOf(usage, 'prompt_tokens_details', 'input_tokens_details', 'input_token_details');
  const output = firstOf(usage, 'completion_tokens_details', 'output_tokens_details', 'output_token_details');
  const cached = 'cached_tokens_details' in input ? objectAt(input, 'cached_tokens_details') : {};
  return { input: readDetails(input), cached: readDetails(cached), output: readDetails(output) };
}

/**
 * Reads the tokens of audio, images and video from a provider's usage object: OpenAI's `…_details`
 * (https://platform.openai.com/docs/api-reference) and Gemini's `…TokensDetails`
 * (https://ai.google.dev/api/generate-content#UsageMetadata). Input counts include cached tokens at both. Null if there
 * are none.
 */
export function readMedia(usage: RawUsage): MediaParts | null {
  const { input, cached, output } = sidesOf(usage);
  const parts = {
    audioInput: Math.max(0, input.audio - cached.audio),
    imageInput: Math.max(0, input.image - cached.image),
    videoInput: input.video,
    audioCached: cached.audio,
    imageCached: cached.image,
    audioOutput: output.audio,
    imageOutput: output.image,
    videoOutput: output.video,
  };
  return Object.values(parts).some((count) => count > 0) ? parts : null;
}
