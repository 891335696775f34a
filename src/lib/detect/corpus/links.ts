import type { UrlOptions } from '../content/urls.ts';
import { type Example, negatives, positive } from './example.ts';

/** The settings for which the examples of links hold. */
export const LINK_OPTIONS: UrlOptions = { allow: ['example.com', 'docs.acme.io'], deny: ['bad.example.com'] };

/** Examples of links that may and may not be named. */
export const linkExamples = (): Example[] => [
  positive('url_denied', 'see {} now', 'https://bad.example.com/x'),
  positive('url_denied', 'see {}.', 'http://a.bad.example.com'),
  positive('url_not_allowed', 'go to {}!', 'https://evil.test/path?q=1'),
  positive('url_not_allowed', 'go to {}', 'www.evil.co.uk/login'),
  positive('url_not_allowed', '({})', 'http://example.com.evil.io/'),
  positive('url_not_allowed', 'click [here]({})', 'https://notexample.com'),
  positive('url_not_allowed', 'short {} link', 'bit.link/abc'),
  positive('url_not_allowed', 'host {} up', 'http://203.0.113.9:8080/x'),
  positive('url_credentials', 'fetch {}', 'https://user:pass@example.com/'),
  positive('url_credentials', 'fetch {}', 'https://example.com@evil.test/'),
  positive('url_script', 'open {}', 'javascript:alert(document.cookie)'),
  positive('url_script', 'open {}', 'data:text/html,alert'),
  positive('url_lookalike', 'visit {}', 'https://exаmple.org/login'),
  positive('url_lookalike', 'visit {}', 'https://xn--exmple-cua.org/'),
  ...negatives([
    'https://example.com/a?b=c#d and http://sub.example.com',
    'docs.acme.io/start is fine',
    'Version 1.2.3 of node.js, e.g. or i.e. at 10.30',
    'The file main.tsx and the class java.util.List',
    'jane@company.com wrote it',
    'data: none, file: none, ratio 1:2',
    'See chapter 3.2 and www. is a prefix',
  ]),
];
