/**
 * A message of an AWS event stream (smithy.io, Amazon Event Stream): lengths of the message and of its headers, their
 * checksum, headers, payload, and the checksum of all of it.
 */
export const eventStreamMessage = (
  headers: Readonly<Record<string, string>>,
  payload: unknown,
): Uint8Array<ArrayBuffer> => {
  const named = Object.entries(headers).map(([name, value]) => {
    const text = Buffer.from(value);
    const head = Buffer.from([name.length, ...Buffer.from(name), 7, 0, 0]);
    head.writeUInt16BE(text.length, head.length - 2);
    return Buffer.concat([head, text]);
  });
  const head = Buffer.concat(named);
  const body = Buffer.from(JSON.stringify(payload));
  const message = Buffer.alloc(16 + head.length + body.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(head.length, 4);
  message.writeUInt32BE(Bun.hash.crc32(message.subarray(0, 8)), 8);
  head.copy(message, 12);
  body.copy(message, 12 + head.length);
  message.writeUInt32BE(Bun.hash.crc32(message.subarray(0, -4)), message.length - 4);
  return new Uint8Array(message);
};
