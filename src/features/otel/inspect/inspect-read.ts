import { readPricer } from '../../../core/pricing/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import type { InspectReply } from '../contract.ts';
import { readDump, SENT_FILE } from '../read/read-dump.ts';
import { type Encoding, readRequest } from '../read/read-request.ts';
import { inspectRequest } from './inspect-request.ts';

/** A request to explain. `encoding` is null for a file, whose bytes show it; `now` is the time of receipt. */
type InspectInput = {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding | null;
  readonly now: number;
};

/**
 * Explains how a request is read. It is a read because it takes half a second for a large request and needs the prices
 * of the organization.
 */
export const inspectRead: ReadOp<InspectInput, InspectReply> = {
  name: 'otel.inspect',
  run(reader, { bytes, encoding: stated, now }) {
    const { batch, encoding } =
      stated === null
        ? readDump(bytes, now, SENT_FILE)
        : { batch: readRequest(bytes, stated, now), encoding: stated };
    return inspectRequest(batch, encoding, readPricer(reader));
  },
};
