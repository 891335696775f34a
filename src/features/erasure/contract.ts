import { z } from 'zod';

/** The end user whose traces are to go, as events name it in `user_id`. */
export const erasureBody = z.strictObject({ userId: z.string().min(1).max(500) });

/** A request to erase an end user. */
export const erasureSchema = z.object({
  id: z.string(),
  status: z.enum(['running', 'done']),
  /** ISO 8601 UTC. */
  requestedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** Id of the person who asked, or `operator:<login name>`. */
  requestedBy: z.string(),
  /**
   * HMAC-SHA256 of the end user by the server's secret, which tells requests for the same one; the user's id
   * itself is forgotten when the erasure is done.
   */
  userDigest: z.string(),
  /** Fraction 0 to 1 of the project's events that were looked through. */
  progress: z.number(),
  deleted: z.object({ events: z.int(), refusedLines: z.int() }),
});
export type Erasure = z.infer<typeof erasureSchema>;

export const erasuresSchema = z.object({ erasures: z.array(erasureSchema) });
