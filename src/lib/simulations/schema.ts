import { z } from 'zod';
import { LOCAL_KINDS } from '../guardrails/definition.ts';
import { lineOfText } from '../schema/line-of-text.ts';
import { LIMITS, type Suite } from './definition.ts';

const text = z.string().min(1).max(LIMITS.text);
const oneOrMore = (what: string) =>
  z
    .union([text, z.array(text).min(1).max(50)], { error: `must be a text, or a list of 1 to 50 texts` })
    .describe(what);
const json = z.record(z.string(), z.unknown(), 'must be an object');
const usd = z.number().gt(0).max(1e6);
const ignoreCase = z.boolean().optional().describe('Whether letters match in either case. Default: false.');
const modelId = z.string().min(1).max(241);

const of = <const K extends string, S extends z.core.$ZodShape>(kind: K, what: string, shape: S) =>
  ({ kind: z.literal(kind).describe(what), ...shape }) as const;

const SHAPES = [
  of('contains', 'Texts that must be there, or must not.', {
    texts: oneOrMore('Text or texts to look for.'),
    mode: z
      .enum(['all', 'any', 'none'])
      .optional()
      .describe('Whether all, any or none of the texts must be there. Default: `all`.'),
    ignoreCase,
  }),
  of('regex', 'A pattern that must match, or must not.', {
    pattern: z
      .string()
      .min(1)
      .max(1_000)
      .describe("Pattern in RE2's syntax: linear time, without lookaround."),
    mode: z
      .enum(['matches', 'absent'])
      .optional()
      .describe('Whether it must match, or must not. Default: `matches`.'),
    ignoreCase,
  }),
  of('json_schema', 'The answer is JSON of this form.', { schema: json.describe('JSON Schema.') }),
  of('tool_call', 'Tools that the target calls.', {
    tool: z.string().min(1).max(200).describe('Name of the tool.'),
    arguments: json.optional().describe('Arguments that a call must have; others may be there as well.'),
    mode: z
      .enum(['every', 'some', 'never'])
      .optional()
      .describe(
        '`every`: the tool is called and each of its calls fits. `some`: one fits. `never`: none does. Default: `every`.',
      ),
  }),
  of('guardrail', 'A guardrail or a detector finds nothing.', {
    name: z.string().min(1).max(100).optional().describe('Guardrail of the project. Default: `detect`.'),
    detect: z.enum(LOCAL_KINDS).optional().describe('Detector, instead of a guardrail.'),
    config: json.optional().describe('Settings of the detector, as in a guardrail.'),
  }),
  of('leak', 'The answer does not repeat what is secret. What the user said themselves does not count.', {
    texts: oneOrMore(
      'Secret texts, such as the system prompt. Default: what looks like a system prompt.',
    ).optional(),
    words: z.int().min(3).max(50).optional().describe('Words in a row that count as repeated. Default: 8.'),
  }),
  of('latency', 'The answer comes in time.', {
    maxMs: z.number().gt(0).max(3_600_000).describe('Longest time, in milliseconds.'),
  }),
  of('cost', 'The answer is not too expensive.', {
    maxUsd: z.number().min(0).max(1e6).describe('Highest cost, in USD. An unknown cost does not pass.'),
  }),
] as const;

const KINDS = SHAPES.map(({ kind }) => kind.value).join(', ');
const [contains, regex, jsonSchema, toolCall, guardrail, leak, latency, cost] = SHAPES;

/** All kinds with some fields of their own. */
const checksWith = <const S extends z.core.$ZodShape>(more: S) =>
  [
    z.strictObject({ ...contains, ...more }),
    z.strictObject({ ...regex, ...more }),
    z.strictObject({ ...jsonSchema, ...more }),
    z.strictObject({ ...toolCall, ...more }),
    z
      .strictObject({ ...guardrail, ...more })
      .refine(
        (given) =>
          ((given as { name?: unknown }).name === undefined) !==
          ((given as { detect?: unknown }).detect === undefined),
        'give either name, a guardrail of the project, or detect',
      ),
    z.strictObject({ ...leak, ...more }),
    z.strictObject({ ...latency, ...more }),
    z.strictObject({ ...cost, ...more }),
  ] as const;

const turn = z
  .union([z.enum(['each', 'last']), z.int().min(1).max(LIMITS.turns)], {
    error: `must be each, last or the number of a turn, 1 to ${LIMITS.turns}`,
  })
  .optional()
  .describe('Turn whose answer is checked: `each`, `last`, or a number from 1. Default: `each`.');

const check = z.discriminatedUnion('kind', checksWith({}), { error: `kind must be one of ${KINDS}` });
const turnCheck = z.discriminatedUnion('kind', checksWith({ turn }), {
  error: `kind must be one of ${KINDS}`,
});
const criterion = z.discriminatedUnion(
  'kind',
  [
    ...checksWith({}),
    z.strictObject({
      kind: z.literal('judge').describe('A model judges the conversation.'),
      criterion: z
        .string()
        .trim()
        .min(1)
        .max(4_000)
        .describe('A sentence that must be true of the conversation.'),
      model: modelId.optional().describe('Model that judges. Default: `judgeModel`.'),
    }),
  ],
  { error: `kind must be one of ${KINDS}, judge` },
);

const path = z
  .string()
  .trim()
  .regex(
    /^[^.[\]]{1,100}(?:\.[^.[\]]{1,100}|\[\d{1,6}\]){0,20}$/,
    'must be a path such as choices.0.message.content',
  )
  .optional();
const remote = {
  url: z.url('must be an address such as https://agent.example.com/chat').max(2_000).describe('Address.'),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, 'must be the name of a header'),
      z.string().max(4_000),
    )
    .refine((given) => Object.keys(given).length <= 30, 'must have at most 30 headers')
    .optional()
    .describe('Headers. A value may name a secret of the suite: `Bearer $` and its name in braces.'),
  stream: z
    .boolean()
    .optional()
    .describe('Whether a stream is asked for. Streams are read in any case. Default: false.'),
  timeoutMs: z.int().min(100).max(300_000).optional().describe('Time for an answer. Default: 60000.'),
  idempotent: z
    .boolean()
    .optional()
    .describe(
      'The target answers a known `Idempotency-Key` with the same reply, so that a turn whose answer a crash lost may be sent again. Default: false: such a conversation is `lost`.',
    ),
};
const toolResults = json
  .optional()
  .describe('What each tool answers, by its name. Without one, a turn ends with the call of the tool.');

/** What is talked to. */
export const targetSchema = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.literal('http').describe('An address that takes and gives JSON.'),
        ...remote,
        body: z
          .unknown()
          .optional()
          .describe(
            'Body of the request with `{{message}}`, `{{messages}}`, `{{conversationId}}`, `{{turn}}`, `{{scenario}}` and `{{seed}}`. Default: message, messages and conversationId.',
          ),
        reply: z
          .strictObject({
            text: path.describe(
              'Path of the answer. Default: `text`, `answer`, `reply`, `message`, `output` or `content`.',
            ),
            delta: path.describe(
              'Path of the next piece of the answer in an event of a stream. Default: `delta`, or `text`.',
            ),
            toolCalls: path.describe('Path of the list of tool calls. Default: `toolCalls` or `tool_calls`.'),
            toolName: path.describe('Path of the name in a tool call. Default: `name`.'),
            toolArguments: path.describe('Path of the arguments in a tool call. Default: `arguments`.'),
            costUsd: path.describe('Path of the cost in USD. Default: `costUsd`.'),
            traceId: path.describe(
              'Path of the id of the trace. Default: `traceId`, or a `traceparent` header.',
            ),
          })
          .optional()
          .describe('Where the parts of the reply are.'),
      }),
      z.strictObject({
        kind: z.literal('openai').describe("An address that speaks OpenAI's chat completions."),
        ...remote,
        model: z.string().min(1).max(200).describe('Model, as the target names it.'),
        system: text.optional().describe('System message. Default: none.'),
        tools: z.array(json).max(64).optional().describe("Tools in OpenAI's form. Default: none."),
        params: json.optional().describe('More fields of the request, such as temperature.'),
        toolResults,
      }),
      z.strictObject({
        kind: z.literal('prompt').describe('A version of a prompt of the project.'),
        prompt: z.string().min(1).max(200).describe('Name of the prompt.'),
        version: z.int().min(1).max(1e9).optional().describe('Its version. Default: what `label` names.'),
        label: z.string().min(1).max(100).optional().describe('Its label. Default: `production`.'),
        model: modelId
          .optional()
          .describe('Model; `GET /v1/models` lists them. Default: the one of the prompt.'),
        variables: json.optional().describe('Variables of the prompt.'),
        toolResults,
      }),
      z.strictObject({ kind: z.literal('function').describe('A function that the SDK calls.') }),
    ],
    { error: 'kind must be one of http, openai, prompt, function' },
  )
  .describe('What is talked to.');

const shared = {
  target: targetSchema.optional().describe('What is talked to. Default: a function of the SDK.'),
  checks: z.array(turnCheck).max(LIMITS.checks).optional().describe('Checks of the answers, turn by turn.'),
  criteria: z
    .array(criterion)
    .max(LIMITS.checks)
    .optional()
    .describe('What must hold at the end of a conversation.'),
  repetitions: z
    .int()
    .min(1)
    .max(LIMITS.repetitions)
    .optional()
    .describe(`How often a scenario runs, 1 to ${LIMITS.repetitions}. Default: 1.`),
  maxTurns: z
    .int()
    .min(1)
    .max(LIMITS.turns)
    .optional()
    .describe(`Most messages of the user, 1 to ${LIMITS.turns}. Default: all of a script, otherwise 5.`),
  userModel: modelId
    .optional()
    .describe('Model that plays users, as `<name>/<model>`; `none` for scripted ones. Default: none.'),
  judgeModel: modelId.optional().describe('Model that judges. Default: none.'),
};

const scriptLine = z.union(
  [
    text,
    z.strictObject({
      user: oneOrMore('Message of the user. Of several, the seed chooses one.'),
      checks: z.array(check).max(LIMITS.checks).optional().describe('Checks of the answer to it.'),
    }),
  ],
  { error: 'must be a text, or an object with user and checks' },
);

const scenarioSchema = z.strictObject({
  name: lineOfText(200).describe('Name, unique in the suite.'),
  goal: z.string().trim().max(4_000).optional().describe('What the user wants. A judge sees it, too.'),
  persona: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .optional()
    .describe('`injection`, `off_topic` or `data_fishing`; or who the user is, for a model that plays them.'),
  openingMessages: z.array(text).min(1).max(LIMITS.turns).optional().describe('First messages of the user.'),
  script: z.array(scriptLine).min(1).max(LIMITS.turns).optional().describe('All messages of the user.'),
  costCap: usd.optional().describe('A conversation that costs more fails, in USD. Default: none.'),
  ...shared,
});

/** A suite as a file or a request has it. */
export const suiteSchema = z
  .strictObject({
    name: lineOfText(100).describe('Name, unique in the project.'),
    description: z.string().trim().max(4_000).optional().describe('What it is for.'),
    ...shared,
    costCap: usd
      .optional()
      .describe('A run pauses before it costs more, in USD. Default: only the monthly cap holds.'),
    concurrency: z
      .int()
      .min(1)
      .max(LIMITS.concurrency)
      .optional()
      .describe(`Conversations at a time, 1 to ${LIMITS.concurrency}. Default: 4.`),
    seed: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .optional()
      .describe('Chooses attacks and variants; the same seed chooses the same. Default: 1.'),
    scenarios: z
      .array(scenarioSchema)
      .min(1)
      .max(LIMITS.scenarios)
      .describe(`Scenarios, 1 to ${LIMITS.scenarios}.`),
  })
  .meta({ id: 'SimulationSuite' }) satisfies z.ZodType<Suite>;
