import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices';

/** What an alias stands for from a time on. */
export type AliasTarget = {
  /** Inclusive: a date or an ISO 8601 time in UTC. */
  readonly from: string;
  /** The catalogue's id of the model; with `prices`, the name of a model that the catalogue does not list. */
  readonly model: string;
  readonly prices?: ModelPrice | ConditionalPrice[] | undefined;
  /**
   * The first day on which this target is confirmed, if the day of the change is not documented. Calls between `from`
   * and this day are estimates.
   */
  readonly surely?: string | undefined;
};

/** A model name that a provider moves from model to model. Targets are in order of time. */
export type Alias = {
  /** The catalogue's id of the provider. */
  readonly provider: string;
  /** In lower case. */
  readonly name: string;
  readonly targets: readonly AliasTarget[];
};

/** The alias of a provider with this name in lower case. */
export const findAlias = (aliases: readonly Alias[], provider: string, name: string): Alias | undefined =>
  aliases.find((alias) => alias.name === name && alias.provider === provider);

/** The model of a target; undefined if the provider lists none of that id. */
export function modelOfTarget(
  models: readonly ModelInfo[],
  { model, prices }: AliasTarget,
): ModelInfo | undefined {
  if (prices !== undefined) return { id: model, match: { equals: model }, prices };
  return models.find(({ id }) => id === model);
}
