import type { Settings } from '../options.ts';
import type { Report } from '../problems.ts';
import type { Backlog } from './backlog.ts';
import type { QueuedEvent } from './queue.ts';
import type { RemoteSettings } from './remote-settings.ts';
import { judge, type Verdict } from './reply.ts';
import type { Pause } from './rounds.ts';
import { packBody, type Transport } from './transport.ts';

/** A longer wait has its own message, because the monthly quota is probably used up. */
const LONG_WAIT_MS = 120_000;

/** What sending a batch needs. */
export type Sending = {
  readonly settings: Settings;
  readonly transport: Transport;
  readonly report: Report;
  readonly backlog: Backlog;
  readonly remote: RemoteSettings;
  readonly pause: Pause;
};

/**
 * Sends a batch until the server accepts or refuses it. The batch stays the same for all its attempts, so the server
 * recognises retries by their event ids.
 */
export const sendBatch = async (sending: Sending, batch: readonly QueuedEvent[]): Promise<void> => {
  const { backlog, remote, transport } = sending;
  const { body, encoding } = await packBody(batch.map((event) => event.bytes));
  for (let failures = 1; !backlog.isStopped; failures++) {
    const answer = await transport.ingest(body, encoding);
    if (backlog.isStopped) return;
    const verdict = judge(answer, batch.length, failures);
    if (verdict.kind === 'again') {
      await waitFor(sending, verdict, failures);
      continue;
    }
    if (verdict.kind === 'stored') {
      backlog.stored(batch, verdict);
      remote.heard(verdict.configVersion);
    } else if (verdict.kind === 'refused') backlog.refused(batch.length, verdict.reason);
    else if (verdict.kind === 'unauthorized') backlog.unauthorized();
    else {
      const half = Math.ceil(batch.length / 2);
      await sendBatch(sending, batch.slice(0, half));
      await sendBatch(sending, batch.slice(half));
    }
    return;
  }
};

const waitFor = async (
  { settings, backlog, pause, report }: Sending,
  { afterMs, asked, reason }: Extract<Verdict, { kind: 'again' }>,
  failures: number,
): Promise<void> => {
  const events = backlog.stats.pending;
  if (afterMs >= LONG_WAIT_MS) {
    const message = `the server accepts no events for the next ${Math.round(afterMs / 60_000)} minutes (${reason}); ${events} events wait in memory`;
    report({ kind: 'paused', events, message });
  } else if (failures > 1 && !asked) {
    const message = `${settings.baseUrl} cannot be reached (${reason}); ${events} events wait in memory and will be retried`;
    report({ kind: 'unreachable', events, message });
  }
  await pause.wait(afterMs, !asked);
};
