import type { MetricDimension } from '../../../../core/events/query/contract.ts';

/** Nouns of the dimensions, longest first where one contains another. */
export const NOUNS: readonly (readonly [pattern: string, dimension: MetricDimension])[] = [
  ['prompt versions?', 'promptVersion'],
  ['agent versions?', 'agentVersion'],
  ['(?:error (?:codes?|types?|kinds?|groups?)|kinds? of errors?)', 'errorCode'],
  ['(?:finish|stop) reasons?', 'finishReason'],
  ['api[- ]keys?', 'keyId'],
  ['keys?', 'keyId'],
  ['models?', 'model'],
  ['(?:providers?|vendors?)', 'provider'],
  ['(?:environments?|envs?|stages?)', 'environment'],
  ['(?:releases?|deployments?)', 'release'],
  ['versions?', 'release'],
  ['agents?', 'agent'],
  ['tools?', 'tool'],
  ['prompts?(?! ?(?:cach|tokens?|size|length))', 'promptName'],
  ['(?:end )?users?', 'userId'],
  ['customers?', 'userId'],
  ['(?:sessions?|conversations?)', 'sessionId'],
  ['(?:status(?:es)?|outcomes?)', 'status'],
  ['operations?', 'operation'],
];

/** Means users, but where events carry a tag of that name, the tag. */
export const SYNONYM_OF_USER = 'customer';

/** Fields of the filter language by dimension; those of tags follow their name. */
const FIELDS: Readonly<Partial<Record<MetricDimension, string>>> = {
  userId: 'user',
  sessionId: 'session',
  keyId: 'key',
  promptName: 'prompt',
  errorCode: 'error',
  finishReason: 'finish',
};

/** The field of the filter language for a dimension. */
export const fieldOf = (dimension: MetricDimension): string =>
  dimension.startsWith('tag:') ? `tag.${dimension.slice(4)}` : (FIELDS[dimension] ?? dimension);

const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Words that say nothing about the query, wherever they stand. */
export const EMPTY: ReadonlySet<string> = new Set(
  list(`a an the as is are was were be been being am do does did done have has had having get gets got getting
    we our ours us i me my you your it its they them their there here that this these those
    what whats which who whom how much many let show give tell list display see find want need know
    please plz pls thanks hey hi total totals overall all any figure figures stats statistics report
    happen happens happened happening occur occurs occurred occurring go goes gone going went
    also then really actually exactly roughly about looking look view
    project app application product company team's things ai llm llms anything something everything
    serve serves served handle handles handled process processed receive receives received send sent return returns
    returned`),
);

/** Words that mean something only with others, so that no name of a project may take them. */
const LINKING: readonly string[] =
  list(`make makes made making called of for in on at to from by per with within during and or using each every both number numbers count counts
    amount sum only just so else than between across among along against over under up down out into onto if one ones
    can could would should may might must shall will like breakdown break broken split splitted grouped group allocation
    distribution come comes came cause causes caused but hit hits consume consumes consumed consuming generate
    generates generated produce produces produced currently`);

/** Words with a meaning in the grammar. A name that is made of them is only understood in quotes. */
export const MEANINGFUL: readonly string[] =
  list(`cost costs costing costed costliest spend spends spending spent spenders spender bill bills burn
  money price prices priced pricey paid pay expensive cheap cheapest dollar dollars usd request requests call calls traffic
  volume usage use uses used using error errors failure failures fail fails failed failing timeout timeouts timed time times
  rate rates limit limits limited throttled cache caching cached hit hits token tokens input output reasoning thinking
  completion latency latencies slow slower slowest fast faster fastest quick duration response responses median average avg
  mean typical percentile throughput unpriced cancelled canceled success successes successful run runs guardrail guardrails
  block blocks blocked flag flags flagged redacted check checks score scores ttft first top most highest largest biggest
  greatest worst least lowest fewest smallest bottom best common frequent frequently often busiest active reliable unreliable
  today yesterday tomorrow week weeks weekly month months monthly day days daily hour hours hourly minute minutes quarter
  year years last past previous prior since until till before after ago now current recent monday tuesday wednesday thursday
  friday saturday sunday january february march april june july august september october november december trend trends
  timeline history evolution chart graph compare compared comparison versus vs against change changed changes increase
  increased decrease decreased rise rose grow grew drop dropped higher lower more less worse better not without except
  excluding exclude other besides apart model models provider providers vendor vendors environment environments env envs
  release releases version versions deployment deployments agent agents tool tools prompt prompts user users customer
  customers session sessions conversation conversations key keys api status outcome operation operations kind reason reasons
  finish stop code codes type types embedding embeddings streamed streaming stream texts two three four five six seven eight
  nine ten twenty instead same expenditure expenditures invoice invoices invoiced fee fees wasted invocation invocations
  queries popularity adoption`);

const NUMBER = /^[\d.,$%]+$/;
const VOCABULARY: ReadonlySet<string> = new Set([...EMPTY, ...LINKING, ...MEANINGFUL]);

/** Whether a word has a meaning in the grammar, or none at all: names do not overrule it. */
export const isVocabulary = (word: string): boolean =>
  VOCABULARY.has(word) || NUMBER.test(word) || /^p\d\d$/.test(word);

const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A pattern of whole numbers, in digits or words up to ten. */
export const NUMBER_PATTERN = `(\\d{1,4}|${NUMBER_WORDS.join('|')}|twelve|twenty)`;
export function numberOf(text: string): number {
  if (text === 'twelve') return 12;
  if (text === 'twenty') return 20;
  const place = NUMBER_WORDS.indexOf(text);
  return place < 0 ? Number(text) : place + 1;
}
