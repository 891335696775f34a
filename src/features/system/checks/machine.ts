import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from '../../../config.ts';
import { bytesText, countText, numberText } from '../../../lib/figures.ts';
import type { Finding } from '../contract.ts';
import { bad, ok, warn } from './findings.ts';

const TEMPORARY = 'temporary folder';
const LEAST_TEMPORARY = 64 * 1024 * 1024;

/** The binary unpacks the driver of the database there and loads it. */
export function checkTemporaryFolder(): Finding {
  const { BUN_TMPDIR } = readEnv();
  const folder = BUN_TMPDIR || tmpdir();
  const fix = 'Set BUN_TMPDIR to a folder that exists, is writable and is not mounted noexec';
  let own: string;
  try {
    own = mkdtempSync(join(folder, 'spanledger-doctor-'));
  } catch {
    return bad(TEMPORARY, `${folder} cannot be written`, fix);
  }
  try {
    const script = join(own, 'run');
    writeFileSync(script, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    if (spawnSync(script).status !== 0) return bad(TEMPORARY, `Nothing can be run from ${folder}`, fix);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    if (free < LEAST_TEMPORARY)
      return warn(TEMPORARY, `${folder} has only ${bytesText(free)} free`, `Free space there, or ${fix}`);
    return ok(TEMPORARY, `${folder} can be written, and programs run from it`);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

const LEAST_DESCRIPTORS = 1_024;

/** The open files and connections of this process, and how many it may have; null where the system does not say. */
export function readDescriptors(): { readonly open: number; readonly most: number } | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
    const most = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
    return { open: readdirSync('/proc/self/fd').length, most };
  } catch {
    return null;
  }
}

/** Each connection takes a descriptor. */
export function checkDescriptors(): Finding | null {
  const found = readDescriptors();
  if (found === null) return null;
  const { open, most } = found;
  const text = `${countText(open, 'open file')} and connections of at most ${Number.isFinite(most) ? numberText(most) : 'any number'}`;
  const fix = 'Raise the limit: LimitNOFILE= of the systemd unit, or `ulimit -n`';
  if (open > most * 0.8) return bad('descriptors', text, fix);
  return most < LEAST_DESCRIPTORS ? warn('descriptors', text, fix) : ok('descriptors', text);
}
