import type { Call } from '../call.ts';
import type { Client } from '../client.ts';
import type { EventFields } from '../event.ts';
import { createResponsesReader } from './openai-responses.ts';
import { propertyOf, reportUnwatched } from './unwatched.ts';
import { isObject, openAiTokens } from './usage.ts';

export type WrapRealtimeOptions = {
  /** Provider whose prices apply. Default: `openai`. */
  readonly provider?: string | undefined;
  /** The model, if neither the address of the session nor its events name it. */
  readonly model?: string | undefined;
};

type Json = Readonly<Record<string, unknown>>;
type Listen = (name: string, listener: (event: unknown) => void) => unknown;

const WATCHED = Symbol.for('spanledger.watched');

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Records the events of a session (API reference, OpenAI: Realtime server events). */
const createRecorder = (client: Client, provider: string, asked: string | undefined) => {
  const calls = new Map<unknown, Call>();
  let model = asked;
  let transcriber: string | undefined;

  const start = (): Call =>
    client.startCall({ kind: 'llm', operation: 'realtime', provider, model, stream: true });

  const done = (response: Json): void => {
    const call = calls.get(response.id) ?? start();
    calls.delete(response.id);
    const reader = createResponsesReader({ output: () => client.storesPrompts, requestModel: model });
    call.end(() => reader.answer(response));
  };

  /** The transcription of what the user said is billed by the price of another model. */
  const transcribed = (event: Json): void => {
    const fields: EventFields = {
      kind: 'llm',
      operation: 'transcription',
      provider,
      model: transcriber,
      ...openAiTokens(event.usage),
      ...(client.storesPrompts && { output: event.transcript }),
    };
    if (isObject(event.usage)) client.startCall(fields).end();
  };

  return {
    take(event: Json): void {
      const type = textOf(event.type) ?? '';
      const response = objectOf(event.response);
      if (type === 'session.created' || type === 'session.updated') {
        const session = objectOf(event.session);
        model = textOf(session.model) ?? model;
        const { transcription } = objectOf(objectOf(session.audio).input);
        const given = objectOf(transcription ?? session.input_audio_transcription);
        transcriber = textOf(given.model) ?? transcriber;
      } else if (type === 'response.created') calls.set(response.id, start());
      else if (type === 'response.done') done(response);
      else if (type === 'conversation.item.input_audio_transcription.completed') transcribed(event);
      else if (/^response\..*\.delta$/.test(type)) calls.get(event.response_id)?.firstToken();
    },
    close(): void {
      for (const call of calls.values()) call.cancel('closed');
      calls.clear();
    },
  };
};

/** The model in the address of a session. */
const modelOf = (url: unknown): string | undefined => {
  try {
    return new URL(String(url)).searchParams.get('model') ?? undefined;
  } catch {
    return undefined;
  }
};

/** The event in a message of a socket or data channel. */
const parse = (message: unknown): unknown => {
  try {
    return JSON.parse(String(propertyOf(message, 'data')));
  } catch {
    return undefined;
  }
};

/**
 * Records each response of a realtime session, with its text, audio and cached tokens, and each transcription of what the
 * user says. The session is an object of `openai/realtime` (WebSocket), a `WebSocket`, or the data channel of a WebRTC
 * connection. It is returned unchanged: the SDK only listens.
 * @example
 * const session = wrapRealtime(new OpenAIRealtimeWebSocket({ model: 'gpt-realtime' }), createClient());
 */
export const wrapRealtime = <S extends object>(
  session: S,
  client: Client,
  { provider = 'openai', model }: WrapRealtimeOptions = {},
): S => {
  const expected = 'a session of openai/realtime, a WebSocket or an RTCDataChannel';
  try {
    if (propertyOf(session, WATCHED) === true) return session;
    const on = propertyOf(session, 'on') as Listen | undefined;
    const addEventListener = propertyOf(session, 'addEventListener') as Listen | undefined;
    const recorder = createRecorder(client, provider, model ?? modelOf(propertyOf(session, 'url')));
    const take = (event: unknown): void => {
      try {
        if (isObject(event)) recorder.take(event);
      } catch (error) {
        const message = `an event of a session could not be read: ${String(error)}`;
        client.report({ kind: 'internal', events: 1, message });
      }
    };
    if (typeof on !== 'function' && typeof addEventListener !== 'function') {
      reportUnwatched(client, 'it has no events', expected);
      return session;
    }
    Object.defineProperty(session, WATCHED, { value: true });
    if (typeof on === 'function') on.call(session, 'event', take);
    else addEventListener?.call(session, 'message', (message) => take(parse(message)));
    const socket = propertyOf(session, 'socket') ?? session;
    const listen = propertyOf(socket, 'addEventListener') as Listen | undefined;
    if (typeof listen === 'function') listen.call(socket, 'close', () => recorder.close());
  } catch (error) {
    reportUnwatched(client, String(error), expected);
  }
  return session;
};
