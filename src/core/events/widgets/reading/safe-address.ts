/** An absolute address of http or https; null for any other, such as `javascript:` or a path of this server. */
export function safeAddress(given: string): string | null {
  if (!URL.canParse(given)) return null;
  const { protocol, href } = new URL(given);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
