/** A small service that speaks S3, over HTTP on this machine. */
export type S3StandIn = {
  readonly env: Readonly<Record<string, string>>;
  /** The objects of its buckets by `bucket/key`. */
  readonly objects: Map<string, Uint8Array>;
  /** Methods and paths of the requests so far. */
  readonly requests: string[];
  /** The number of a part that is refused; 0 for none. */
  failingPart: number;
  close(): void;
};

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=access-key\/\d{8}\/[\w-]+\/s3\/aws4_request, ?SignedHeaders=[\w;-]*host[\w;-]*, ?Signature=[0-9a-f]{64}$/;

const xml = (body: string, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    headers: { 'Content-Type': 'application/xml' },
  });

const failure = (status: number, code: string): Response =>
  xml(`<Error><Code>${code}</Code><Message>${code} of the stand-in</Message></Error>`, status);

/** An unsigned request is refused. An object exists when its upload is complete, as with S3. */
export function openS3(): S3StandIn {
  const objects = new Map<string, Uint8Array>();
  const uploads = new Map<string, Map<number, Uint8Array>>();
  const requests: string[] = [];
  const state = { failingPart: 0 };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search, searchParams } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      if (!SIGNED.test(request.headers.get('authorization') ?? '')) return failure(403, 'AccessDenied');
      const body = new Uint8Array(await request.arrayBuffer());
      const path = decodeURIComponent(pathname).slice(1);
      const key = path.replace(/\/$/, '');
      const uploadId = searchParams.get('uploadId');
      if (searchParams.get('list-type') === '2') return list(key, searchParams.get('prefix') ?? '');
      if (uploadId === null && searchParams.has('uploads')) return begin(key);
      if (uploadId !== null)
        return part(request.method, key, uploadId, Number(searchParams.get('partNumber')), body);
      return object(request, key, body);
    },
  });

  function begin(key: string): Response {
    const id = `upload-${uploads.size + 1}`;
    uploads.set(id, new Map());
    return xml(
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  function part(method: string, key: string, id: string, number: number, body: Uint8Array): Response {
    const parts = uploads.get(id);
    if (parts === undefined) return failure(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      uploads.delete(id);
      return new Response(null, { status: 204 });
    }
    if (method === 'PUT') {
      if (number === state.failingPart) return failure(500, 'InternalError');
      parts.set(number, body);
      return new Response(null, { headers: { ETag: `"part-${number}"` } });
    }
    const sorted = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    objects.set(key, new Uint8Array(Buffer.concat(sorted)));
    uploads.delete(id);
    return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  function object({ method }: Request, key: string, body: Uint8Array): Response {
    const found = objects.get(key);
    if (method === 'PUT') {
      objects.set(key, body);
      return new Response(null, { headers: { ETag: '"whole"' } });
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (found === undefined) return failure(404, 'NoSuchKey');
    const headers = { 'Content-Length': String(found.length), ETag: '"whole"' };
    return new Response(method === 'HEAD' ? null : new Uint8Array(found), { headers });
  }

  function list(bucket: string, prefix: string): Response {
    const keys = [...objects.keys()].filter((key) => key.startsWith(`${bucket}/${prefix}`)).sort();
    const contents = keys.map(
      (key) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key><Size>1</Size></Contents>`,
    );
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
    );
  }

  return {
    env: {
      AWS_ACCESS_KEY_ID: 'access-key',
      AWS_SECRET_ACCESS_KEY: 'secret-key',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${server.port}`,
      AWS_REGION: 'eu-central-1',
    },
    objects,
    requests,
    get failingPart() {
      return state.failingPart;
    },
    set failingPart(number) {
      state.failingPart = number;
    },
    close: () => void server.stop(true),
  };
}
