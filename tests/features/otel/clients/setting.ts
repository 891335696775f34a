import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { SECRET_PROMPT } from './mock-provider.ts';

type Instrumentations = NonNullable<ConstructorParameters<typeof NodeSDK>[0]>['instrumentations'];

const { PROVIDER_URL = '' } = process.env;

/** Base address of the provider with OpenAI's path. */
export const OPENAI = { apiKey: 'sk-test', baseURL: `${PROVIDER_URL}/v1`, maxRetries: 0 } as const;
/** Anthropic's SDK adds the path itself. */
export const ANTHROPIC = { apiKey: 'sk-test', baseURL: PROVIDER_URL, maxRetries: 0 } as const;
export const TIMEOUT_MS = 250;

/** A prompt that must not be stored anywhere. */
export const prompt = (what: string): string => `${SECRET_PROMPT} ${what}`;

const EXPORTERS = {
  json: () => ({ traceExporter: new JsonExporter() }),
  protobuf: () => ({ traceExporter: new ProtobufExporter() }),
  /** The exporter that OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS configure. */
  environment: () => ({}),
} as const;

/** Starts OpenTelemetry as an application would; the environment says where to export and with which key. */
export function startTelemetry(
  exporter: keyof typeof EXPORTERS,
  instrumentations: Instrumentations = [],
): NodeSDK {
  const sdk = new NodeSDK({ ...EXPORTERS[exporter](), instrumentations });
  sdk.start();
  return sdk;
}

/** Runs a call that must fail. */
export async function failing(call: () => Promise<unknown>): Promise<void> {
  const failed = await call().then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error('the provider was to fail');
}

/** Reads a stream to its end. */
export async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}
