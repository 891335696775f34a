/** A reply that is not a success: the status, and the server's message. */
export class ApiError extends Error {
  readonly status: number;
  /** Seconds to wait before the next try; null if the server did not say. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
