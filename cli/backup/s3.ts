import { statSync } from 'node:fs';
import type { Env } from '../../src/config.ts';
import { backupName, backupTime, type KeptBackup, sealedName } from '../../src/db/backup-files.ts';
import { conflict } from '../../src/errors.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import { backupMissing } from './places.ts';

const MEBIBYTE = 1_048_576;
/** An upload may have 10,000 parts. */
const MOST_PARTS = 9_000;
const RETRIES = 3;
const ABORT_MS = 1_000;

export const isS3 = (place: string): boolean => place.startsWith('s3://');

/** A place in a bucket: an object, or what begins with `key` where that is empty or ends with a slash. */
export interface Bucket {
  readonly client: Bun.S3Client;
  readonly name: string;
  readonly key: string;
}

/**
 * Opens `s3://BUCKET/KEY` with the credentials of the environment, as other tools for S3 read them.
 * @throws {UserError} usage (2)
 */
export function openBucket(place: string, env: Env): Bucket {
  const [, name, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(place) ?? [];
  if (name === undefined) throw usageError(`${place} names no bucket`, 'Write s3://BUCKET/FOLDER/');
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = env;
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw usageError(
      'There are no credentials for S3',
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_ENDPOINT_URL for another provider',
    );
  const client = new Bun.S3Client({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    bucket: name,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
    ...(AWS_REGION === undefined ? {} : { region: AWS_REGION }),
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  return { client, name, key };
}

export const isPrefix = ({ key }: Bucket): boolean => key === '' || key.endsWith('/');

/**
 * Uploads a backup. The object exists when all parts have arrived; a failure leaves none.
 * @param secret the encrypted secret, as an object beside it
 * @returns its address
 * @throws {UserError} `s3_failed` (1), AppError 409 if the object exists
 */
export async function sendBackup(
  bucket: Bucket,
  { path, secret, now }: { path: string; secret: string | null; now: number },
): Promise<string> {
  const key = isPrefix(bucket) ? `${bucket.key}${backupName(now)}` : bucket.key;
  const address = `s3://${bucket.name}/${key}`;
  return talk(address, async () => {
    const { client } = bucket;
    if (await client.exists(key)) throw conflict(`${address} already exists; choose another name`);
    // First, so that a backup never lies there without it.
    if (secret !== null) await client.write(sealedName(key), secret);
    const partSize = Math.max(16 * MEBIBYTE, Math.ceil(statSync(path).size / MOST_PARTS));
    try {
      await client.write(key, Bun.file(path), { partSize, queueSize: 4, retry: RETRIES });
    } catch (error) {
      // The client deletes the parts in the background; the process must not end before.
      await Bun.sleep(ABORT_MS);
      throw error;
    }
    return address;
  });
}

/** The backups below a prefix, newest first; `path` is the key. Other objects are not touched. */
export async function listBackups(bucket: Bucket): Promise<KeptBackup[]> {
  const found: KeptBackup[] = [];
  let continuationToken: string | undefined;
  do {
    const options = { prefix: bucket.key, ...(continuationToken && { continuationToken }) };
    const page = await talk(`s3://${bucket.name}/${bucket.key}`, () => bucket.client.list(options));
    for (const { key } of page.contents ?? []) {
      const time = backupTime(key.slice(bucket.key.length));
      if (time !== null) found.push({ path: key, time });
    }
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (continuationToken !== undefined);
  return found.sort((a, b) => b.time - a.time);
}

/** Deletes backups with their secrets, by their keys. */
export const deleteBackups = (bucket: Bucket, keys: readonly string[]): Promise<void> =>
  talk(`s3://${bucket.name}`, async () => {
    for (const key of keys) for (const one of [key, sealedName(key)]) await bucket.client.delete(one);
  });

/**
 * Downloads a backup, or the newest below a prefix, and its secret beside it.
 * @param to the file to write; the secret's name follows from it
 * @returns its address
 * @throws {UserError} `backup_missing` (3), `s3_failed` (1)
 */
export async function fetchBackup(bucket: Bucket, to: string): Promise<string> {
  const key = isPrefix(bucket) ? (await listBackups(bucket))[0]?.path : bucket.key;
  const address = `s3://${bucket.name}/${key ?? bucket.key}`;
  if (key === undefined) throw backupMissing(`${address} has no backups`);
  return talk(address, async () => {
    const { client } = bucket;
    if (!(await client.exists(key))) throw backupMissing(`There is no backup at ${address}`);
    await Bun.write(to, client.file(key), { mode: 0o600 });
    const { size } = await client.stat(key);
    if (statSync(to).size !== size) throw new Error(`only ${statSync(to).size} of ${size} bytes arrived`);
    if (await client.exists(sealedName(key)))
      await Bun.write(sealedName(to), client.file(sealedName(key)), { mode: 0o600 });
    return address;
  });
}

/** Runs requests; a failure of the service says which and what to check. */
async function talk<T>(address: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isOurs = error instanceof UserError || (error instanceof Error && 'status' in error);
    if (isOurs || !(error instanceof Error)) throw error;
    const code = 'code' in error ? ` (${String(error.code)})` : '';
    throw new UserError({
      what: `${address}: ${error.message || 'the request failed'}${code}`,
      fix: 'Check the bucket, AWS_ENDPOINT_URL, AWS_REGION and the rights of the access key',
      code: 's3_failed',
      exit: EXIT.failure,
      cause: error,
    });
  }
}
