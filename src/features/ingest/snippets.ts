type Block = { readonly title: string; readonly text: string };
type Snippet = {
  readonly label: string;
  /** What to run or write, in order. */
  readonly blocks: (server: Server) => readonly Block[];
  readonly note: string;
};

/** The address of this page, and the key that was just made; without one, the variable that holds it. */
export type Server = { readonly origin: string; readonly apiKey: string | null };

const shell = (...lines: readonly string[]): Block => ({ title: 'Shell', text: lines.join('\n') });
const keyOf = ({ apiKey }: Server): string => apiKey ?? '$SPANLEDGER_API_KEY';

/** The settings of the SDK. */
const forSdk = (server: Server, packages: string): Block =>
  shell(
    `export SPANLEDGER_BASE_URL=${server.origin}`,
    ...(server.apiKey === null ? [] : [`export SPANLEDGER_API_KEY=${server.apiKey}`]),
    `npm install PATH/dist/npm ${packages}`,
  );
/** The settings that every OpenTelemetry exporter reads. */
const forOtlp = (server: Server, ...more: readonly string[]): Block =>
  shell(
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${server.origin}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${keyOf(server)}`,
    ...more,
  );

const SDK_NOTE = 'PATH is the repository, in which "bun run build:sdk" makes the package.';

/** Code that sends the first call, for the address of this page. */
export const SNIPPETS = {
  curl: {
    label: 'curl',
    blocks: (server) => [
      shell(
        `curl ${server.origin}/v1/ingest \\`,
        `  -H "x-api-key: ${keyOf(server)}" \\`,
        `  --data-binary '{"provider":"openai","model":"gpt-4o","input_tokens":1200,"output_tokens":48}'`,
      ),
    ],
    note: 'Each line of the body is one event, up to 100 per request. Only provider and model are required.',
  },
  sdk: {
    label: 'TypeScript',
    blocks: (server) => [
      forSdk(server, 'openai'),
      {
        title: 'app.ts',
        text: `import OpenAI from 'openai';
import { createClient, wrapOpenAI } from 'spanledger/sdk';

const ledger = createClient();
const openai = wrapOpenAI(new OpenAI(), ledger);

const reply = await openai.chat.completions.create({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Capital of France?' }],
});`,
      },
    ],
    note: `The README lists the clients of other providers. ${SDK_NOTE}`,
  },
  ai: {
    label: 'AI SDK',
    blocks: (server) => [
      forSdk(server, 'ai @ai-sdk/openai'),
      {
        title: 'app.ts',
        text: `import { openai } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { aiMiddleware, createClient } from 'spanledger/sdk';

const model = wrapLanguageModel({
  model: openai('gpt-4o'),
  middleware: aiMiddleware(createClient()),
});
const { text } = await generateText({ model, prompt: 'Capital of France?' });`,
      },
    ],
    note: `For versions 5, 6 and 7 of the AI SDK. ${SDK_NOTE}`,
  },
  langchain: {
    label: 'LangChain',
    blocks: (server) => [
      forSdk(server, '@langchain/core @langchain/openai'),
      {
        title: 'app.ts',
        text: `import { ChatOpenAI } from '@langchain/openai';
import { createClient, langChainHandler } from 'spanledger/sdk';

const model = new ChatOpenAI({ model: 'gpt-4o', callbacks: [langChainHandler(createClient())] });
const reply = await model.invoke('Capital of France?');`,
      },
    ],
    note: `Pass the handler to a chain or graph, and its steps and tools are in the trace too. ${SDK_NOTE}`,
  },
  otel: {
    label: 'OpenTelemetry',
    blocks: (server) => [
      forOtlp(
        server,
        'npm install @opentelemetry/sdk-node @arizeai/openinference-instrumentation-openai openai',
      ),
      {
        title: 'app.ts',
        text: `import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { NodeSDK } from '@opentelemetry/sdk-node';
import OpenAI from 'openai';

const telemetry = new NodeSDK();
telemetry.start();
new OpenAIInstrumentation().manuallyInstrument(OpenAI);

const reply = await new OpenAI().chat.completions.create({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Capital of France?' }],
});
await telemetry.shutdown();`,
      },
    ],
    note: 'The settings are those of any OTLP exporter over HTTP, JSON or protobuf, in any language. Spans that follow the GenAI conventions become calls.',
  },
  python: {
    label: 'Python',
    blocks: (server) => [
      forOtlp(
        server,
        'export OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none',
        'pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http opentelemetry-instrumentation-openai',
        'opentelemetry-instrument python app.py',
      ),
      {
        title: 'app.py',
        text: `from openai import OpenAI

reply = OpenAI().chat.completions.create(
    model="gpt-4o",
    messages=[{"role": "user", "content": "Capital of France?"}],
)`,
      },
    ],
    note: 'There are instrumentations for other libraries, LangChain and LlamaIndex among them.',
  },
} as const satisfies Record<string, Snippet>;
export type SnippetName = keyof typeof SNIPPETS;
