import { RedisClient } from 'bun';
import type { Logger } from 'pino';
import { z } from 'zod';

/** An event between servers: for all of them, or for the leader. */
const messageSchema = z.object({
  from: z.string(),
  to: z.enum(['all', 'leader']),
  event: z.string(),
  payload: z.unknown(),
});
export type Message = z.infer<typeof messageSchema>;

/** Events between servers, through Redis. A message may be lost; who joins again may have missed some. */
export type Relay = {
  send(message: Omit<Message, 'from'>): void;
  isConnected(): boolean;
  close(): void;
};

type Options = {
  readonly url: string;
  /** Servers of one database use one channel. */
  readonly channel: string;
  /** Of this server, which does not receive its own messages. */
  readonly id: string;
  readonly log: Logger;
  onMessage(message: Message): void;
  /** Messages may have been missed until now. */
  onJoined(): void;
};

const RETRY_MS = 250;

export function openRelay({ url, channel, id, log, onMessage, onJoined }: Options): Relay {
  const sender = new RedisClient(url, { connectionTimeout: 1_000, enableOfflineQueue: false });
  let receiver: RedisClient | null = null;
  let isJoined = false;
  let isClosed = false;
  let wasAway = false;

  async function join(): Promise<void> {
    // A connection that was lost does not subscribe again.
    const client = new RedisClient(url, { connectionTimeout: 1_000, autoReconnect: false });
    receiver = client;
    const again = (error?: unknown): void => {
      if (receiver !== client) return;
      receiver = null;
      isJoined = false;
      client.close();
      if (isClosed) return;
      if (!wasAway) log.warn({ err: error }, 'Redis does not answer: servers hear of changes later');
      wasAway = true;
      setTimeout(() => void join(), RETRY_MS).unref();
    };
    client.onclose = again;
    try {
      await client.connect();
      await client.subscribe(channel, (text: string) => receive(text));
      if (receiver !== client) return;
      isJoined = true;
      wasAway = false;
      onJoined();
    } catch (error) {
      again(error);
    }
  }

  function receive(text: string): void {
    const parsed = messageSchema.safeParse(parseJson(text));
    if (parsed.success && parsed.data.from !== id) onMessage(parsed.data);
  }

  async function publish(text: string): Promise<void> {
    if (!sender.connected) await sender.connect();
    await sender.publish(channel, text);
  }

  void join();
  return {
    send(message) {
      publish(JSON.stringify({ ...message, from: id })).catch((error: unknown) =>
        log.debug({ err: error, event: message.event }, 'an event did not reach the other servers'),
      );
    },
    isConnected: () => isJoined,
    close() {
      isClosed = true;
      receiver?.close();
      sender.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
