/** What has ids that people type; `ID_KINDS` lists the ids of each. */
export type IdKind =
  | 'key'
  | 'token'
  | 'alert'
  | 'silence'
  | 'budget'
  | 'report'
  | 'price'
  | 'channel'
  | 'delivery'
  | 'comparison'
  | 'repricing'
  | 'recommendation'
  | 'trace'
  | 'event';
