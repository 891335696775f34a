import { REDACTED } from '../lib/sensitive-keys.ts';

/**
 * Changes a text before it leaves the process.
 * @param field the event's field that it is in: `input`, `output`, `tags`, `metadata`, `error_message`, `name` …
 */
export type Mask = (text: string, field: string) => string;

/** Applies a mask. A mask that fails leaves no text. */
export type ApplyMask = (text: string, field: string) => string;

/** Fields with text of the application that are not objects. Ids, models and statuses have fixed words. */
export const MASKED_TEXTS = [
  'name',
  'operation',
  'error_message',
  'user_id',
  'session_id',
  'agent',
  'tool',
] as const;

/** A mask that throws, or gives no text, is reported once per event by `failed`. */
export const safeMask =
  (mask: Mask, failed: (error: unknown) => void): ApplyMask =>
  (text, field) => {
    try {
      const masked: unknown = mask(text, field);
      if (typeof masked === 'string') return masked;
      failed(new TypeError(`mask returned ${masked === null ? 'null' : typeof masked}, not a string`));
    } catch (error) {
      failed(error);
    }
    return REDACTED;
  };
