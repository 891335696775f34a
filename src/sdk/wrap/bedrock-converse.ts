import type { EventFields } from '../event.ts';
import type { Prompt } from '../prompt.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { bedrockTokens, isObject } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A content block as a part of a message; one of text is its text. */
const toPart = (block: unknown): unknown => {
  const { text } = objectOf(block);
  return typeof text === 'string' ? text : block;
};
const toParts = (blocks: unknown): unknown => (Array.isArray(blocks) ? blocks.map(toPart) : blocks);

/** The messages of a Converse request in the form in which prompts are hashed. */
export const conversePrompt = ({ messages, system }: Json): Prompt => ({
  messages: Array.isArray(messages)
    ? messages.map((message: unknown) => ({
        ...objectOf(message),
        content: toParts(objectOf(message).content),
      }))
    : messages,
  system: toParts(system),
});

/** The tier that answered; latency-optimised inference has prices of its own. */
const tierOf = ({ serviceTier, performanceConfig }: Json): string | undefined =>
  objectOf(performanceConfig).latency === 'optimized'
    ? 'latency-optimized'
    : textOf(objectOf(serviceTier).type);

const detailsOf = (reply: Json, tools: number): EventFields => {
  const tier = tierOf(reply);
  const metadata = {
    ...(tier !== undefined && { service_tier: tier }),
    ...(tools > 0 && { tool_calls: tools }),
  };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
};

const isTool = (block: unknown): boolean => objectOf(block).toolUse !== undefined;

/** Reads replies of Converse and ConverseStream (Amazon Bedrock API reference). */
export const createConverseReader = (output: () => boolean): AnswerReader => {
  let metadata: Json = {};
  let stopReason: string | undefined;
  let tools = 0;
  let text = '';
  return {
    answer(value) {
      const reply = objectOf(value);
      const { content } = objectOf(objectOf(reply.output).message);
      return {
        ...bedrockTokens(reply.usage),
        ...detailsOf(reply, Array.isArray(content) ? content.filter(isTool).length : 0),
        finish_reason: textOf(reply.stopReason),
        ...(output() && { output: content }),
      };
    },
    piece(value): Piece {
      const event = objectOf(value);
      if (isObject(event.metadata)) metadata = event.metadata;
      stopReason = textOf(objectOf(event.messageStop).stopReason) ?? stopReason;
      if (isTool(objectOf(event.contentBlockStart).start)) tools++;
      if (!isObject(event.contentBlockDelta)) return undefined;
      if (output()) text += textOf(objectOf(event.contentBlockDelta.delta).text) ?? '';
      return 'content';
    },
    result: () => ({
      ...bedrockTokens(metadata.usage),
      ...detailsOf(metadata, tools),
      finish_reason: stopReason,
      ...(output() && { output: text }),
    }),
    get complete() {
      return stopReason !== undefined;
    },
  };
};
