/** Whether `If-None-Match` names an ETag. RFC 9110, 13.1.2: a list of tags or `*`, compared weakly. */
export function namesTag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
