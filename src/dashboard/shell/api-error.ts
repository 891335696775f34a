/** A reply that is not a success: the status, and the server's message. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds to wait before the next try; null if the server did not say. */
  readonly retryAfter: number | null;

  /** The fields of the reply beside the message, such as `code`. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    retryAfter: number | null = null,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.more = more;
  }
}
