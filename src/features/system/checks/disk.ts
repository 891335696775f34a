import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesText, countText } from '../../../lib/figures.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import type { Finding } from '../contract.ts';
import { bad, ok, warn } from './findings.ts';

/** Sizes in bytes: of the file, of its write-ahead log, and of the disk that has them. */
export type DiskSizes = {
  readonly file: number;
  readonly wal: number;
  readonly free: number;
  readonly total: number;
};

/** The size of the file with its log at some time, in epoch milliseconds. */
export type SizeSample = { readonly at: number; readonly bytes: number };

export function readSizes(path: string): DiskSizes {
  const size = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { file: size(path), wal: size(`${path}-wal`), free: bavail * bsize, total: blocks * bsize };
}

/** Samples that are closer together say nothing of a day. */
const LEAST_SPAN_MS = 6 * HOUR_MS;

/**
 * Bytes a day by which the file grew, between the first and the last sample.
 * @param samples in order of time
 * @returns null if they span less than six hours
 */
export function growthPerDay(samples: readonly SizeSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_SPAN_MS) return null;
  return ((last.bytes - first.bytes) / (last.at - first.at)) * DAY_MS;
}

const SHORT = { bytes: 512 * 1024 * 1024, days: 3 } as const;
const SCARCE = { share: 0.1, bytes: 20e9, days: 30 } as const;
const ROOM = 'Free space on the disk, move the file to a larger one, or shorten the retention of projects';

/** Judges the free space, and how long it lasts if the file grows on as it did. */
export function judgeDisk({ free, total, file, wal }: DiskSizes, growth: number | null): Finding {
  const days = growth === null || growth <= 0 ? Number.POSITIVE_INFINITY : free / growth;
  const lasts =
    growth === null
      ? 'its growth is known after six hours of a running server'
      : days > 3_650
        ? 'the file hardly grows'
        : `at ${bytesText(growth)} a day it is full in ${countText(Math.floor(days), 'day')}`;
  const text = `${bytesText(free)} of ${bytesText(total)} are free; the file has ${bytesText(file + wal)}; ${lasts}`;
  if (free < SHORT.bytes || days < SHORT.days) return bad('disk', text, ROOM);
  const isScarce = free < total * SCARCE.share && free < SCARCE.bytes;
  return isScarce || days < SCARCE.days ? warn('disk', text, ROOM) : ok('disk', text);
}

/** A log larger than this could not be moved into the file for long: it should have a few megabytes. */
const LARGE_WAL = 256 * 1024 * 1024;

export function judgeLog({ wal }: DiskSizes): Finding {
  const text = `The write-ahead log has ${bytesText(wal)}`;
  return wal <= LARGE_WAL
    ? ok('write-ahead log', text)
    : warn(
        'write-ahead log',
        `${text}, because something keeps an old state of the file open`,
        'End other programs that read the file (`fuser FILE` lists them); a restart of the server empties the log',
      );
}
