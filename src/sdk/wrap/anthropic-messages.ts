import type { EventFields } from '../event.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { anthropicTokens, isObject } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Merges the usage of `message_start` with that of `message_delta`, whose counts are cumulative. */
const mergeUsage = (start: unknown, delta: unknown): Json => {
  const merged: Record<string, unknown> = { ...(isObject(start) ? start : {}) };
  for (const [name, value] of Object.entries(isObject(delta) ? delta : {})) {
    if (value !== null && value !== undefined) merged[name] = value;
  }
  return merged;
};

const detailsOf = (message: Json, requestModel: string | undefined, tools: number): EventFields => {
  const model = textOf(message.model);
  const usage = isObject(message.usage) ? message.usage : {};
  const metadata = {
    ...(model !== undefined && model !== requestModel && { response_model: model }),
    ...(typeof usage.service_tier === 'string' && { service_tier: usage.service_tier }),
    ...(tools > 0 && { tool_calls: tools }),
  };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
};

const isTool = (block: unknown): boolean => isObject(block) && block.type === 'tool_use';

type Streamed = { readonly block: Json; text: string; json: string; thinking: string };

/** Puts the blocks of a streamed message together, so that it is stored as one that came at once. */
const createBlocks = () => {
  const blocks = new Map<unknown, Streamed>();
  const at = (index: unknown, block: Json = { type: 'text' }): Streamed => {
    const known = blocks.get(index) ?? { block, text: '', json: '', thinking: '' };
    blocks.set(index, known);
    return known;
  };
  return {
    start({ index, content_block }: Json): void {
      at(index, isObject(content_block) ? content_block : undefined).text +=
        (isObject(content_block) ? textOf(content_block.text) : undefined) ?? '';
    },
    add(index: unknown, delta: Json): void {
      const block = at(index);
      block.text += textOf(delta.text) ?? '';
      block.json += textOf(delta.partial_json) ?? '';
      block.thinking += textOf(delta.thinking) ?? '';
    },
    /** The text if there is nothing else, like a text that was asked for; the blocks otherwise. */
    content(): unknown {
      const all = [...blocks.values()];
      if (all.every(({ block }) => block.type === 'text')) return all.map(({ text }) => text).join('');
      return all.map(({ block, text, json, thinking }) => ({
        ...block,
        ...(text !== '' && { text }),
        ...(thinking !== '' && { thinking }),
        ...(json !== '' && { input: parsed(json) }),
      }));
    },
  };
};

/** What was cut off stays as it came. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

/** Reads replies of the Messages API (API reference, Anthropic), complete or as server-sent events. */
export const createMessagesReader = (
  output: () => boolean,
  requestModel: string | undefined,
): AnswerReader => {
  let start: Json = {};
  let usage: Json = {};
  let stopReason: string | undefined;
  let tools = 0;
  const streamed = createBlocks();

  return {
    answer(value) {
      const message = isObject(value) ? value : {};
      const content: unknown[] = Array.isArray(message.content) ? message.content : [];
      return {
        ...anthropicTokens(message.usage),
        ...detailsOf(message, requestModel, content.filter(isTool).length),
        finish_reason: textOf(message.stop_reason),
        ...(output() && { output: message.content }),
      };
    },
    piece(value): Piece {
      if (!isObject(value)) return undefined;
      if (value.type === 'message_start' && isObject(value.message)) {
        start = value.message;
        usage = mergeUsage({}, start.usage);
      }
      if (value.type === 'content_block_start') {
        if (isTool(value.content_block)) tools++;
        if (output()) streamed.start(value);
      }
      if (value.type === 'message_delta') {
        usage = mergeUsage(usage, value.usage);
        stopReason = textOf(isObject(value.delta) ? value.delta.stop_reason : undefined) ?? stopReason;
      }
      if (value.type !== 'content_block_delta' || !isObject(value.delta)) return undefined;
      if (output()) streamed.add(value.index, value.delta);
      return 'content';
    },
    result: () => ({
      ...anthropicTokens(Object.keys(usage).length > 0 ? usage : undefined),
      ...detailsOf({ ...start, usage }, requestModel, tools),
      finish_reason: stopReason,
      ...(output() && { output: streamed.content() }),
    }),
    get complete() {
      return stopReason !== undefined;
    },
  };
};
