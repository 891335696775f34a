import { z } from 'zod';
import { parseKeepRule } from './ranges/keep-rule.ts';

/** A whole number as text, from `min` to `max`. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** The path of a file, which becomes `file:PATH`, or the address of a libSQL server. */
export const databaseUrl = z
  .string()
  .transform((value) => (/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `file:${value}`))
  .pipe(z.string().regex(/^(file:(?!:memory:).+|(libsql|https?|wss?):\/\/.+)$/));

/** The address of events on ClickHouse. The password has a setting of its own, because an address is printed. */
export const eventsUrl = z
  .url({ protocol: /^clickhouses?$/ })
  .refine((value) => new URL(value).password === '');

/** For how long backups are kept; stays text, because a command takes it. */
export const keepRule = z.string().refine((value) => parseKeepRule(value) !== null);

/** An http address without a slash at its end. */
export const publicUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

/** The address of a mail server. */
export const smtpUrl = z.url({ protocol: /^smtps?$/ });
/** An address, alone or as `Name <address>`. Without line breaks, which would end the mail header. */
export const mailFrom = z.string().regex(/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/);
/** Any text but an empty one. */
export const text = z.string().min(1);

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** A host name, in lower case and without a trailing dot. Digits and dots alone read as an address. */
const hostName = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(/^(?![\d.]+$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/)
  .transform((name) => name.replace(/\.$/, ''));

/** Entries with commas between them, in the same form without blanks. */
const listOf = <E extends z.ZodType<string, string>>(entry: E) =>
  z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .pipe(z.array(entry))
    .transform((entries) => entries.join(','));

/** Addresses and subnets. */
export const proxies = listOf(network);

/** Addresses, subnets and host names. */
export const destinations = listOf(z.union([network, hostName]));

/** Email addresses in lower case. */
export const emailAddresses = listOf(z.string().toLowerCase().pipe(z.email()));

/** Ed25519 public keys in base64: 32 bytes each. */
export const publicKeys = listOf(z.string().regex(/^[A-Za-z0-9+/]{43}=$/));

/** Pages of the network are fetched encrypted; this machine's own may be plain. */
export const fetchedUrl = z
  .url({ protocol: /^https?$/ })
  .refine((value) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(value));

/** A key that goes into the header of a request: one line without blanks. */
export const apiKey = z.string().regex(/^[\x21-\x7e]{1,1000}$/);

/** Names of models. */
export const modelNames = listOf(z.string().regex(/^[\x21-\x7e]{1,200}$/));

/** An amount in USD, with at most 9 decimal places. */
export const usd = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/)
  .transform(Number);
