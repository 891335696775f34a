type Snippet = {
  readonly label: string;
  readonly write: (origin: string) => { readonly text: string; readonly note: string };
};

/** Code that sends the first event, for the address of this page. */
export const SNIPPETS = {
  curl: {
    label: 'curl',
    write: (origin) => ({
      text: `curl ${origin}/v1/ingest \\
  -H "x-api-key: $SPANLEDGER_API_KEY" \\
  --data-binary '{"provider":"openai","model":"gpt-4o","input_tokens":1200,"output_tokens":48}'`,
      note: 'Each line is one event, up to 100 per batch. Only provider and model are required.',
    }),
  },
  otel: {
    label: 'OpenTelemetry',
    write: (origin) => ({
      text: `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=$SPANLEDGER_API_KEY`,
      note: 'For any OTLP exporter over HTTP, JSON or protobuf. Spans that follow the GenAI conventions become calls.',
    }),
  },
  python: {
    label: 'Python',
    write: (origin) => ({
      text: `import json, os, urllib.request

event = {"provider": "openai", "model": "gpt-4o", "input_tokens": 1200, "output_tokens": 48}
urllib.request.urlopen(urllib.request.Request(
    "${origin}/v1/ingest",
    data=json.dumps(event).encode(),
    headers={"x-api-key": os.environ["SPANLEDGER_API_KEY"]},
))`,
      note: 'Nothing to install. For whole applications use OpenTelemetry.',
    }),
  },
  node: {
    label: 'JavaScript',
    write: (origin) => ({
      text: `const apiKey = '…'; // from your settings

await fetch('${origin}/v1/ingest', {
  method: 'POST',
  headers: { 'x-api-key': apiKey },
  body: JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1200, output_tokens: 48 }),
});`,
      note: 'Nothing to install. For whole applications use the SDK or OpenTelemetry.',
    }),
  },
} as const satisfies Record<string, Snippet>;
export type SnippetName = keyof typeof SNIPPETS;
