import { z } from 'zod';
import { costFilterSchema, listQuerySchema } from '../../core/events/contract.ts';

/** Most views of a project. */
export const MAX_VIEWS = 100;

const { environment, model, provider, status, kind, errorCode, userId, sessionId } = listQuerySchema.shape;

/**
 * What a view keeps of the address of the events page: filters and columns. The time range is not part of
 * it: that is of whoever looks, and when.
 */
export const viewSearchSchema = z.strictObject({
  environment,
  status,
  kind,
  model,
  provider,
  errorCode,
  userId,
  sessionId,
  ...costFilterSchema.shape,
  /** Ids of columns, in any order; those that a page does not know it leaves out. */
  columns: z
    .string()
    .regex(/^[a-z]{1,30}(,[a-z]{1,30}){0,49}$/, 'must be names of columns like time,model,cost')
    .optional(),
});
export type ViewSearch = z.output<typeof viewSearchSchema>;

const viewName = z.string().trim().min(1).max(80);

/** Body of `POST /v1/events/views`. */
export const viewBodySchema = z.strictObject({ name: viewName, search: viewSearchSchema });
export type ViewBody = z.output<typeof viewBodySchema>;

/** Body of `PUT /v1/events/views/:id`: what is left out stays. */
export const viewChangeSchema = viewBodySchema
  .partial()
  .refine(({ name, search }) => name !== undefined || search !== undefined, 'give name, search or both');
export type ViewChange = z.output<typeof viewChangeSchema>;

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  search: z.record(z.string(), z.string()),
  /** The id of who made it, and their name; null when they have no account any more. */
  createdBy: z.string(),
  author: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type SavedView = z.infer<typeof savedViewSchema>;
export const viewsReplySchema = z.object({ views: z.array(savedViewSchema) });
export type ViewsReply = z.infer<typeof viewsReplySchema>;
