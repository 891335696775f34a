import { z } from 'zod';

/** A rate that a catalogue has and another has not, or with another amount. */
export const rateChangeSchema = z.object({
  rate: z
    .string()
    .describe(
      'Name of the rate as in custom prices, such as `input`; another key of the catalogue as it is.',
    ),
  above: z.number().nullable().describe('Only for calls of more input tokens than this; null for all.'),
  from: z.string().nullable().describe('Valid from this day, `YYYY-MM-DD`; null without a start.'),
  daily: z.string().nullable().describe('Hours of the day, as `00:30:00Z/16:30:00Z`; null for all day.'),
  before: z.number().nullable().describe('USD before, in the unit of the rate; null if there was none.'),
  after: z.number().nullable().describe('USD after; null if there is none any more.'),
});
export type RateChange = z.infer<typeof rateChangeSchema>;

/** What a price pack changes about a model. */
export const catalogueChangeSchema = z.object({
  change: z.enum(['added', 'changed', 'ended']).describe('`ended`: the new catalogue does not list it.'),
  provider: z.string().describe("The catalogue's id of the provider, such as `openai`."),
  model: z.string().describe('Id of the model, or the name of an alias.'),
  rates: z.array(rateChangeSchema).describe('Rates that differ.'),
  note: z.string().nullable().describe('What else differs, such as the model that an alias stands for.'),
});
export type CatalogueChange = z.infer<typeof catalogueChangeSchema>;

/** A change that a catalogue made to a model. */
export const pastChangeSchema = catalogueChangeSchema.omit({ provider: true, model: true }).extend({
  at: z.string().describe('When the catalogue was put in force, ISO 8601 UTC.'),
  version: z.string().describe('Version of that catalogue.'),
});
export type PastChange = z.infer<typeof pastChangeSchema>;

/** Age in days from which a catalogue counts as stale: providers change some price nearly every month. */
export const STALE_DAYS = 30;

/** The catalogue in force. */
export const catalogueStateSchema = z.object({
  version: z.string().describe('Version of the catalogue.'),
  date: z.string().nullable().describe('Day as of which these are the published prices; null if unknown.'),
  ageDays: z.int().nullable().describe('Whole days since then; null if unknown.'),
  stale: z.boolean().describe(`Whether it is older than ${STALE_DAYS} days, or of an unknown day.`),
  providers: z.int().describe('Number of providers in the catalogue.'),
  models: z.int().describe('Number of models in the catalogue.'),
});
export type CatalogueState = z.infer<typeof catalogueStateSchema>;
