import ipaddr from 'ipaddr.js';
import { type Match, matchesOf, withoutOverlaps } from '../match.ts';
import type { Views } from '../text/views.ts';

const URL_FORM =
  /(?<![\w@.-])(?:(?:https?|ftp|wss?):\/\/[^\s<>"'`{}|\\^]{1,2000}|www\.[^\s<>"'`{}|\\^]{3,2000}|(?:javascript|data|vbscript|file):[^\s<>"'`]{4,2000}|(?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|io|dev|app|ai|co|info|biz|xyz|top|ru|cn|de|fr|uk|link|click|site|online|shop|zip|mov)(?![\w-]|\.[a-z])(?:\/[^\s<>"'`{}|\\^]{0,500})?)/gi;

export type UrlOptions = {
  /** Only these domains and their subdomains may be named. Default: all. */
  readonly allow?: readonly string[] | undefined;
  /** These domains and their subdomains must not be named. */
  readonly deny?: readonly string[] | undefined;
};

/**
 * Finds links that must not be in a text: `url_denied`, `url_not_allowed`, and in any case `url_credentials` (a password
 * in the link), `url_address` (an IP address as host), `url_script` (`javascript:`, `data:`) and `url_lookalike` (a host
 * whose letters are of another script).
 */
export function createUrlDetector({ allow, deny = [] }: UrlOptions = {}): (views: Views) => Match[] {
  const judge = (raw: string, isDisguised: boolean): string | null => {
    if (/^(?:javascript|data|vbscript|file):/i.test(raw)) return 'url_script';
    const url = parseUrl(/^[a-z]+:\/\//i.test(raw) ? raw : `http://${raw}`);
    if (url === null) return null;
    const host = url.hostname.replace(/\.$/, '').toLowerCase();
    if (url.username !== '' || url.password !== '') return 'url_credentials';
    if (deny.some((domain) => isBelow(host, domain))) return 'url_denied';
    if (isDisguised || host.split('.').some((label) => label.startsWith('xn--'))) {
      if (allow?.some((domain) => isBelow(host, domain)) !== true) return 'url_lookalike';
    }
    if (allow !== undefined) return allow.some((domain) => isBelow(host, domain)) ? null : 'url_not_allowed';
    return ipaddr.isValid(host.replace(/^\[|\]$/g, '')) ? 'url_address' : null;
  };
  return ({ given, folded, hidden }) =>
    withoutOverlaps(
      [folded, ...hidden].flatMap((view) =>
        matchesOf(view.text, URL_FORM, (found) => {
          const raw = trimmed(found[0]);
          const place = view.at(found.index, found.index + raw.length);
          const isDisguised = view === folded && given.slice(place.start, place.end) !== raw;
          const type = judge(raw, isDisguised);
          return type === null ? null : { type, ...place, confidence: 0.95 };
        }),
      ),
    );
}

/** A link without the punctuation after it; a bracket that it opens itself belongs to it. */
function trimmed(link: string): string {
  const end = /[.,;:!?\]}'")]+$/.exec(link);
  if (end === null) return link;
  const plain = link.slice(0, end.index);
  return plain.includes('(') && end[0].startsWith(')') ? `${plain})` : plain;
}

const isBelow = (host: string, domain: string): boolean => {
  const plain = domain.toLowerCase().replace(/^\*?\./, '');
  return host === plain || host.endsWith(`.${plain}`);
};

/** As `URL.parse`, which Node 20 has not. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
