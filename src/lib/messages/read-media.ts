import { firstText, isObject, type JsonObject, type Part } from './message.ts';

/** Images that a browser shows. Others are offered as files. */
const IMAGE = /^(?:image\/|(?:png|jpe?g|gif|webp|avif|bmp)$)/i;

type Media = {
  readonly mime: string | null;
  readonly url: string | null;
  readonly base64: string | null;
  readonly name: string | null;
};

const toPart = ({ mime, url, base64, name }: Media, isImage: boolean): Part => {
  const type = mime !== null && !mime.includes('/') ? `${isImage ? 'image' : 'audio'}/${mime}` : mime;
  const data =
    base64 === null ? null : dataUrl(base64, type ?? (isImage ? 'image/png' : 'application/octet-stream'));
  return { kind: isImage ? 'image' : 'file', url: data ?? url, name };
};

const dataUrl = (base64: string, mime: string): string =>
  /^(?:data:|https?:\/\/)/i.test(base64) ? base64 : `data:${mime};base64,${base64}`;

const mimeOf = (url: string | null): string | null => /^data:([^;,]+)/i.exec(url ?? '')?.[1] ?? null;

/**
 * An image, sound or file in the shape of any provider; null for other parts: OpenAI (`image_url`, `input_image`,
 * `input_audio`, `file`, `input_file`), Anthropic (`image` and `document` with `source`), Gemini (`inlineData`,
 * `fileData`), Bedrock (`image: { format, source }`), Vercel AI SDK (`image`, `file` with `mediaType`), LangChain
 * (`source_type`), OpenTelemetry (`blob`, `uri`, `file`), OpenInference (`image: { image: { url } }`).
 */
export function readMedia(part: JsonObject): Part | null {
  const holder = part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data;
  if (isObject(holder)) return fromHolder(holder, firstText(part.filename));
  const type = String(
    part.type ?? (isObject(part.image) ? 'image' : isObject(part.document) ? 'document' : ''),
  );
  switch (type) {
    case 'image_url':
    case 'input_image':
      return linked(part.image_url ?? part.url, firstText(part.file_id), true);
    case 'image_generation_call':
      return toPart({ mime: 'image/png', url: null, base64: firstText(part.result), name: null }, true);
    case 'image':
    case 'media':
    case 'blob':
    case 'uri':
    case 'file':
    case 'input_file':
    case 'document':
    case 'audio':
    case 'video':
    case 'input_audio':
      return fromHolder(holderOf(part, type), firstText(part.filename, part.title, part.name), type);
    default:
      return null;
  }
}

/** The object that holds the data: the part itself, or a member of it. */
function holderOf(part: JsonObject, type: string): JsonObject {
  const inner = part.source ?? part[type];
  if (!isObject(inner)) return part;
  const deeper = inner.source ?? inner[type];
  return isObject(deeper) ? { ...inner, ...deeper } : inner;
}

function fromHolder(holder: JsonObject, name: string | null, type = 'file'): Part {
  const { data, content, url, uri, image } = holder;
  const address = firstText(
    url,
    uri,
    holder.fileUri,
    holder.file_uri,
    holder.file_url,
    isUrl(image),
    isUrl(data),
  );
  const base64 = firstText(data, holder.file_data, holder.bytes, image, type === 'blob' ? content : null);
  const mime =
    firstText(
      holder.mediaType,
      holder.media_type,
      holder.mimeType,
      holder.mime_type,
      holder.format,
      holder.modality === 'image' ? 'image/png' : null,
    ) ?? mimeOf(address ?? base64);
  const text = holder.type === 'text' ? firstText(data) : null;
  if (text !== null) return { kind: 'text', text };
  const id = firstText(name, holder.filename, holder.file_id, holder.id);
  const media = { mime, url: address, base64: address === null ? base64 : null, name: id };
  return toPart(media, type === 'image' || IMAGE.test(mime ?? ''));
}

const isUrl = (value: unknown): string | null =>
  typeof value === 'string' && /^(?:https?:\/\/|data:)/i.test(value) ? value : null;

/** `{ url }` or the address itself. */
const linked = (given: unknown, name: string | null, isImage: boolean): Part => ({
  kind: isImage ? 'image' : 'file',
  url: firstText(isObject(given) ? given.url : given),
  name,
});
