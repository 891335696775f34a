/** What the ids of all scores of a queue begin with. */
export const scorePrefix = (queueId: string): string => `ann:${queueId}:`;

type Given = {
  readonly queueId: string;
  readonly no: number;
  readonly userId: string;
  readonly name: string;
};

/** The id of the score that a person gives an item: the same each time, so that a new value replaces the one before. */
export const scoreIdOf = ({ queueId, no, userId, name }: Given): string =>
  `${scorePrefix(queueId)}${no}:${Bun.hash(`${userId}\n${name}`).toString(36)}`;
