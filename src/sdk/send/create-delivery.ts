import type { createLive } from '../live.ts';
import type { Settings } from '../options.ts';
import type { Report } from '../problems.ts';
import { Backlog } from './backlog.ts';
import type { Delivery } from './delivery.ts';
import { RemoteSettings } from './remote-settings.ts';
import { Pause, Rounds } from './rounds.ts';
import { type Sending, sendBatch } from './send-batch.ts';
import type { Transport } from './transport.ts';

type Parts = {
  readonly settings: Settings;
  readonly live: ReturnType<typeof createLive>;
  readonly transport: Transport;
  readonly report: Report;
};

/** Sends lines one batch at a time and in order. */
export const createDelivery = (parts: Parts): Delivery => {
  const { settings, live, transport, report } = parts;
  const backlog = new Backlog(settings, report);
  const remote = new RemoteSettings(parts);
  const pause = new Pause();
  const sending = { ...parts, backlog, remote, pause };
  const rounds = new Rounds(
    () => sendAll(sending).catch((error: unknown) => backlog.failed(error)),
    () => {
      const { maxBatchSize, flushIntervalMs } = live.now;
      if (backlog.isStopped || backlog.size === 0) return null;
      return backlog.size >= maxBatchSize ? 0 : flushIntervalMs;
    },
  );
  return {
    add(event) {
      backlog.add(event);
      rounds.plan();
    },
    async settle() {
      pause.end();
      do await rounds.start();
      while (backlog.size > 0 && !backlog.isStopped);
    },
    sampledOut() {
      backlog.sampledOut();
      if (!backlog.isStopped && remote.isSilent) void rounds.start();
    },
    stop() {
      backlog.stop('the time to send them was up');
      rounds.cancel();
      pause.end();
      transport.letGo();
    },
    get stats() {
      return backlog.stats;
    },
  };
};

/** Sends batch after batch until the queue is empty. */
const sendAll = async (sending: Sending & Pick<Parts, 'live'>): Promise<void> => {
  const { live, backlog, remote } = sending;
  const follow = async (): Promise<void> => {
    if (!(await remote.follow(backlog.size > 0))) backlog.unauthorized();
  };
  while (backlog.size > 0 && !backlog.isStopped) {
    await follow();
    if (backlog.isStopped) return;
    const batch = backlog.take(live.now);
    if (batch.length > 0) await sendBatch(sending, batch);
    backlog.finish();
  }
  // Applies a change at once, not with the next event.
  await follow();
};
