const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

const randomHex = (bytes: number): string => {
  let text = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) text += HEX[byte];
  return text;
};

/** Ids as in W3C Trace Context: 16 bytes of a trace, 8 of a span, in lower-case hex. */
export const newTraceId = (): string => randomHex(16);
export const newSpanId = (): string => randomHex(8);

/** A UUID, by which the server tells a retry from another event. */
export const newEventId = (): string => crypto.randomUUID();
