import { badRequest } from '../../errors.ts';

const MAX_BYTES = 20_000_000;
const TIMEOUT_MS = 30_000;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Downloads a text over https, or over http from this machine: at most 20 MB in 30 seconds, without redirects.
 * @throws AppError 400 that says why it failed
 */
export async function download(address: string, signal?: AbortSignal): Promise<string> {
  const url = URL.parse(address);
  if (url === null) throw badRequest(`${address} is not an address`);
  const isPlain = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (url.protocol !== 'https:' && !isPlain)
    throw badRequest(`${address} is not an https address; download the pack and pass the file`);
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    });
    if (response.status >= 300 && response.status < 400)
      throw new Error(
        `it redirects to ${response.headers.get('location') ?? 'another address'}; pass that address`,
      );
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await textOf(response);
  } catch (cause) {
    throw badRequest(
      `Cannot read ${url.origin}${url.pathname}: ${cause instanceof Error ? cause.message : 'unknown error'}`,
    );
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1e6} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
