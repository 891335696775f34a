import type { LabelVersion, NewVersion } from '../../src/core/prompts/contract.ts';

/** A version of a demo prompt, and when it was published: `hour` o'clock UTC, 9 by default, so many days ago. */
type DemoVersion = Pick<NewVersion, 'message'> &
  Partial<Pick<NewVersion, 'template' | 'messages' | 'config'>> & {
    readonly daysAgo: number;
    readonly hour?: number;
    /** Default: `production`. */
    readonly labels?: readonly string[];
  };

export type DemoPrompt = {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly versions: readonly DemoVersion[];
  readonly split?: { readonly label: string; readonly versions: readonly LabelVersion[] };
};

/** Versions of a text that got one rule more with each. */
const grown = (
  start: string,
  rules: readonly string[],
  config: NewVersion['config'],
  firstDaysAgo: number,
): DemoVersion[] =>
  rules.map((rule, i) => ({
    template: [start, ...rules.slice(0, i + 1).map((one) => `- ${one}`)].join('\n'),
    config,
    message: i === 0 ? 'First version' : rule,
    daysAgo: firstDaysAgo - 3 * i,
  }));

const TRIAGE = 'Sort this ticket of {{product}} into billing, bug, question or other.';
const TRIAGE_SCHEMA = {
  type: 'json_schema',
  json_schema: {
    name: 'triage',
    schema: {
      type: 'object',
      properties: {
        category: { enum: ['billing', 'bug', 'question', 'other'] },
        urgent: { type: 'boolean' },
      },
      required: ['category', 'urgent'],
      additionalProperties: false,
    },
  },
};

const answer = (instructions: string): NonNullable<NewVersion['messages']> => [
  { role: 'system', content: instructions },
  { role: 'user', content: 'Question: {{question}}\n\nPages:\n{{pages}}' },
];

/** What the demo's events name in `prompt_name`, with a version for each number that they have. */
export const DEMO_PROMPTS: readonly DemoPrompt[] = [
  {
    name: 'style/tone',
    description: 'How we write to customers; other prompts include it',
    tags: ['style'],
    versions: [
      {
        template: 'Write plainly and kindly. Address the customer by name. No exclamation marks.',
        message: 'First version',
        daysAgo: 110,
      },
    ],
  },
  {
    name: 'ticket-triage',
    description: 'Sorts incoming tickets by topic and urgency',
    tags: ['support'],
    versions: [
      {
        template: `${TRIAGE}\n\n{{ticket}}`,
        config: { model: 'gpt-4o', temperature: 0 },
        message: 'First version',
        daysAgo: 80,
      },
      {
        template: `${TRIAGE} Say whether it is urgent.\n\n{{ticket}}`,
        config: { model: 'gpt-4o', temperature: 0, responseFormat: TRIAGE_SCHEMA },
        message: 'Urgency, as JSON',
        daysAgo: 66,
      },
      {
        template: `${TRIAGE} Say whether it is urgent.\n\n{{ticket}}`,
        config: { model: 'gpt-4o-mini', temperature: 0, responseFormat: TRIAGE_SCHEMA },
        message: 'A smaller model, which sorts as well',
        daysAgo: 9,
      },
      {
        template: `${TRIAGE} Urgent is what stops the customer from working.\n\n{{ticket}}`,
        config: { model: 'gpt-4o-mini', temperature: 0, responseFormat: TRIAGE_SCHEMA },
        message: 'Says what urgent means',
        daysAgo: 1,
        labels: ['staging'],
      },
    ],
    split: {
      label: 'trial',
      versions: [
        { version: 3, weight: 90 },
        { version: 4, weight: 10 },
      ],
    },
  },
  {
    name: 'docs-answer',
    description: 'Answers a question from pages of the documentation',
    tags: ['docs'],
    versions: [
      'Answer the question from the pages.',
      'Answer the question from the pages only.',
      'Answer the question from the pages only. Name the page.',
      'Answer in at most three sentences, from the pages only. Name the page.',
      'Answer from the pages only, with an example. Name the page.',
    ].map((instructions, i) => ({
      messages: answer(instructions),
      config: { model: 'gemini-2.5-flash', temperature: 0.2 },
      message: ['First version', 'Nothing of its own', 'Sources', 'Shorter', 'Examples'][i] ?? '',
      daysAgo: [90, 85, 78, 64, 13][i] ?? 0,
      hour: 11,
    })),
  },
  {
    name: 'input-policy',
    description: 'Decides whether a message of a user may pass',
    tags: ['guardrail'],
    versions: ['Reply pass or flag: {{text}}', 'Reply pass or flag, nothing else.\n\n{{text}}'].map(
      (template, i) => ({
        template,
        config: { model: 'acme-llm-7b', temperature: 0, maxTokens: 8 },
        message: i === 0 ? 'First version' : 'No other words',
        daysAgo: 75 - 10 * i,
      }),
    ),
  },
  {
    name: 'support-assistant',
    description: 'Instructions of the assistant in the product',
    tags: ['support', 'agent'],
    versions: grown(
      'You help customers of {{product}}. {{> style/tone}}',
      [
        'Ask for the order number before you look up an order',
        'Never promise a refund',
        'Search the knowledge base before you answer',
        'Name the article that the answer is from',
        'Create a ticket if you cannot help',
        'Do not repeat the question',
        'Give amounts with their currency',
        'Give dates as 3 May 2026',
        'Do not speak about other customers',
        'Ask at most one question at a time',
        'Offer a person after two failed answers',
        'Say it when a service is down',
        'Answer in the language of the customer',
        'Keep answers below 120 words',
      ],
      { model: 'claude-sonnet-4-5', temperature: 0.3 },
      105,
    ),
  },
  {
    name: 'draft-reply',
    description: 'Drafts the reply to a ticket for a support agent',
    tags: ['support'],
    versions: grown(
      'Draft a reply to this ticket: {{ticket}}\n{{> style/tone}}',
      [
        'Begin with the answer',
        'List the steps',
        'One topic per paragraph',
        'No links that are not in the ticket',
        'Quote error messages exactly',
        'Say what happens next',
        'Mention the status page during an outage',
        'Do not apologise twice',
        'Leave out the greeting',
        'Use the name of the product once',
        'At most 150 words',
      ],
      { model: 'gpt-4.1', temperature: 0.4 },
      98,
    ),
  },
];
