import { Reader } from 'protobufjs/minimal.js';
import { tooLarge } from '../../../errors.ts';
import { type FieldSpec, type MessageName, OTLP_MESSAGES, type ScalarType } from './otlp-messages.ts';
import { createStrings } from './read-strings.ts';

type Message = { [field: string]: unknown };
/** `read` is null for a message, whose fields are `fields`; `most` is 0 if the field does not repeat. */
type Field = {
  readonly name: string;
  readonly wire: number;
  readonly most: number;
  readonly read: ((reader: Reader, walk: Walk) => unknown) | null;
  readonly fields: Fields;
};
/** The fields of a message by number. */
type Fields = readonly (Field | undefined)[];
/** State while decoding a body: position, strings that were read, remaining elements, remaining depth. */
type Walk = {
  readonly reader: Reader;
  readonly string: (reader: Reader) => string;
  left: number;
  depth: number;
};

/** Protocol Buffers, Encoding: wire types. */
const VARINT = 0;
const I64 = 1;
const LEN = 2;

/** As in protoc (CodedInputStream::default_recursion_limit_). */
const MAX_DEPTH = 100;
/** An element takes two bytes in a body, but about a hundred in the server's memory. */
const MAX_ELEMENTS = 1_000_000;

const SCALARS: Record<ScalarType, { wire: number; read: (reader: Reader, walk: Walk) => unknown }> = {
  string: { wire: LEN, read: (reader, walk) => walk.string(reader) },
  hex: { wire: LEN, read: (reader) => reader.bytes().toHex() },
  bool: { wire: VARINT, read: (reader) => reader.bool() },
  enum: { wire: VARINT, read: (reader) => reader.int32() },
  double: { wire: I64, read: (reader) => reader.double() },
  int64: { wire: VARINT, read: readInt64 },
  fixed64: { wire: I64, read: readFixed64 },
};

const compiled = compile();

function compile(): Record<MessageName, Fields> {
  const messages = Object.entries<Record<string, FieldSpec>>(OTLP_MESSAGES);
  const byName = Object.fromEntries(messages.map(([name]) => [name, [] as Field[]]));
  for (const [message, specs] of messages) {
    for (const [name, { id, type, repeated = 0 }] of Object.entries(specs)) {
      const { wire, read } = SCALARS[type as ScalarType] ?? { wire: LEN, read: null };
      (byName[message] ?? [])[id] = { name, wire, most: repeated, read, fields: byName[type] ?? [] };
    }
  }
  return byName as Record<MessageName, Field[]>;
}

/**
 * Decodes a message of `OTLP_MESSAGES` into the object that its JSON form would parse to. Absent fields are absent;
 * 64-bit times are bigint; other 64-bit numbers are decimal text if a double cannot represent them. It uses
 * protobufjs's Reader directly, because its reflection would create 16 million objects from a 32 MB body before
 * anything could be counted.
 * @throws AppError 413 for more than a million elements; any other Error for a malformed body, including a known
 *   field of the wrong wire type
 */
export function decodeProtobuf(bytes: Uint8Array, message: MessageName): Message {
  const reader = Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const walk = { reader, string: createStrings(), left: MAX_ELEMENTS, depth: MAX_DEPTH };
  return readMessage(walk, compiled[message], bytes.length);
}

function readMessage(walk: Walk, fields: Fields, end: number): Message {
  if (walk.depth-- === 0) throw new Error(`messages are nested deeper than ${MAX_DEPTH} levels`);
  if (walk.left-- === 0) throw tooLarge(`The request is over the limit of ${MAX_ELEMENTS} elements`);
  const { reader } = walk;
  const message: Message = {};
  while (reader.pos < end) {
    const tag = reader.tag();
    const field = fields[tag >>> 3];
    if (field === undefined) skip(reader, tag);
    else if (field.wire !== (tag & 7)) throw new Error(`${field.name} has the wrong wire type`);
    else if (field.read !== null) message[field.name] = field.read(reader, walk);
    else if (field.most === 0) message[field.name] = readMessage(walk, field.fields, endOf(reader, end));
    else addElement(walk, field, { message, end: endOf(reader, end) });
  }
  if (reader.pos !== end) throw new Error('a field is longer than its message');
  walk.depth++;
  return message;
}

/** Elements beyond the limit are skipped. */
function addElement(walk: Walk, field: Field, { message, end }: { message: Message; end: number }): void {
  const list = (message[field.name] as Message[] | undefined) ?? [];
  message[field.name] = list;
  if (list.length < field.most) list.push(readMessage(walk, field.fields, end));
  else walk.reader.pos = end;
}

/** Reads the length of a message and returns its end. */
function endOf(reader: Reader, outer: number): number {
  const size = reader.size();
  const end = reader.pos + size;
  if (end > outer) throw new Error('a message is longer than the one around it');
  return end;
}

function skip(reader: Reader, tag: number): void {
  if (tag >>> 3 === 0) throw new Error('a field has the number 0');
  reader.skipType(tag & 7, 0, tag >>> 3);
}

/** Reads a 64-bit number without the optional package `long`. */
function readFixed64(reader: Reader): bigint {
  const low = reader.fixed32();
  return (BigInt(reader.fixed32()) << 32n) | BigInt(low);
}

function readInt64(reader: Reader): number | string {
  let low = 0;
  let scale = 1;
  for (let i = 0; i < 7; i++) {
    const byte = nextByte(reader);
    low += (byte & 127) * scale;
    if (byte < 128) return low;
    scale *= 128;
  }
  let value = BigInt(low);
  for (let shift = 49n; shift < 70n; shift += 7n) {
    const byte = nextByte(reader);
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return toNumberOrText(BigInt.asIntN(64, value));
  }
  throw new Error('a varint is longer than 10 bytes');
}

function nextByte(reader: Reader): number {
  const byte = reader.buf[reader.pos++];
  if (byte === undefined) throw new Error('the body ends inside a number');
  return byte;
}

function toNumberOrText(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
