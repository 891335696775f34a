import {
  BASE62,
  BASE64URL,
  createRandom,
  DIGITS,
  type Example,
  HEX,
  negatives,
  positives,
  type Random,
  randomText,
} from './example.ts';
import { CODE } from './frames.ts';

/**
 * Keys by their parts: a text stays, an array is a random text of a length and an alphabet. They are put together when
 * they are used, so that no scanner of repositories takes them for real ones.
 */
type Part = string | readonly [length: number, alphabet?: string];
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const uuid: readonly Part[] = [[8, HEX], '-', [4, HEX], '-', [4, HEX], '-', [4, HEX], '-', [12, HEX]];

const FORMS: Readonly<Record<string, readonly (readonly Part[])[]>> = {
  openai_key: [
    ['sk-', 'proj-', [80, BASE64URL], 'T3Blbk', 'FJ', [70, BASE64URL]],
    ['sk-', 'svcacct-', [100, BASE64URL]],
    ['sk-', [20], 'T3Blbk', 'FJ', [20]],
    ['sk-', [48]],
  ],
  anthropic_key: [
    ['sk-', 'ant-', 'api03-', [93, BASE64URL], 'AA'],
    ['sk-', 'ant-', 'admin01-', [93, BASE64URL]],
  ],
  google_api_key: [['AI', 'za', [35, BASE64URL]]],
  aws_access_key: [
    ['AK', 'IA', [16, UPPER]],
    ['AS', 'IA', [16, UPPER]],
  ],
  github_token: [
    ['gh', 'p_', [36]],
    ['gh', 's_', [36]],
    ['github', '_pat_', [22], '_', [59]],
  ],
  gitlab_token: [['gl', 'pat-', [20, BASE64URL]]],
  stripe_key: [
    ['sk', '_live_', [24]],
    ['rk', '_live_', [99]],
    ['sk', '_test_', [99]],
  ],
  slack_token: [
    ['xo', 'xb-', [12, DIGITS], '-', [13, DIGITS], '-', [24]],
    ['xo', 'xp-', [12, DIGITS], '-', [12, DIGITS], '-', [12, DIGITS], '-', [32, HEX]],
  ],
  slack_webhook: [['https://hooks.slack', '.com/services/T', [8, UPPER], '/B', [8, UPPER], '/', [24]]],
  discord_webhook: [['https://discord', '.com/api/webhooks/', [18, DIGITS], '/', [68, BASE64URL]]],
  telegram_token: [[[9, '123456789'], ':A', 'A', [33]]],
  twilio_key: [
    ['S', 'K', [32, HEX]],
    ['A', 'C', [32, HEX]],
  ],
  sendgrid_key: [['S', 'G.', [22, BASE64URL], '.', [43, BASE64URL]]],
  mailgun_key: [['ke', 'y-', [32, HEX]]],
  mailchimp_key: [[[32, HEX], '-u', 's14']],
  npm_token: [['np', 'm_', [36]]],
  pypi_token: [['py', 'pi-', 'AgE', [80, BASE64URL]]],
  docker_token: [['dc', 'kr_pat_', [27, BASE64URL]]],
  huggingface_token: [['h', 'f_', [34]]],
  groq_key: [['gs', 'k_', [52]]],
  xai_key: [['xa', 'i-', [80]]],
  perplexity_key: [['pp', 'lx-', [48]]],
  openrouter_key: [['sk-', 'or-v1-', [64, HEX]]],
  replicate_token: [['r', '8_', [37]]],
  digitalocean_token: [['do', 'p_v1_', [64, HEX]]],
  shopify_token: [['sh', 'pat_', [32, HEX]]],
  square_token: [['sq', '0atp-', [22, BASE64URL]]],
  databricks_token: [['da', 'pi', [32, HEX]]],
  vault_token: [['hv', 's.', [90, BASE64URL]]],
  grafana_token: [['gl', 'sa_', [32], '_', [8, HEX]]],
  newrelic_key: [['NR', 'AK-', [27, UPPER]]],
  linear_key: [['lin', '_api_', [40]]],
  notion_token: [['nt', 'n_', [46]]],
  figma_token: [['fi', 'gd_', [40, BASE64URL]]],
  airtable_token: [['pa', 't', [14], '.', [64, HEX]]],
  postman_key: [['PM', 'AK-', [24, HEX], '-', [34, HEX]]],
  atlassian_token: [['AT', 'ATT3', [180, BASE64URL]]],
  langsmith_key: [['ls', 'v2_pt_', [32, HEX], '_', [10, HEX]]],
  langfuse_key: [['sk-', 'lf-', ...uuid]],
  pinecone_key: [['pc', 'sk_', [6], '_', [64]]],
  supabase_key: [['sb', 'p_', [40, HEX]]],
  hubspot_token: [['pa', 't-na1-', ...uuid]],
  spanledger_key: [['sl', 'k_', [64, HEX]]],
  jwt: [['ey', 'J', [36, BASE64URL], '.ey', 'J', [80, BASE64URL], '.', [43, BASE64URL]]],
};

const ASSIGNED: readonly (readonly Part[])[] = [[[40]], [[32, HEX]], [[43, BASE64URL]], [[20]]];
const ASSIGNMENTS = [
  'AWS_SECRET_ACCESS_KEY={}',
  'COHERE_API_KEY="{}"',
  'mistral api key: {}',
  "client_secret = '{}'",
  '"auth_token": "{}"',
  'DD_API_KEY: {}',
  'Authorization: Bearer token {}',
];
const PASSWORDS = ['Tr0ub4dor&3x', 'hunter2!Zq9', 'P@ssw0rd#2026', 'x7$Lm!9qRt2', 'Sommer2026!Regen'];

const made = (random: Random, parts: readonly Part[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? part : randomText(random, part[0], part[1] ?? BASE62)))
    .join('');

const NEGATIVES: readonly string[] = [
  'pip install sk-learn scikit-learn; sk-lite and sk-toolkit are packages',
  'Set OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'export API_KEY=$OPENAI_API_KEY',
  'api_key: <%= secrets.OPENAI_API_KEY %>',
  'const apiKey = settings.ANTHROPIC_API_KEY',
  'password: <your-password>',
  'password = "********"',
  'token: your_token_here',
  'secret_key = "changeme"',
  'The password must be changed every year.',
  'The access token is sent in the header.',
  'api_key: "YOUR_API_KEY_GOES_HERE"',
  'The key is under the mat, and the secret ingredient is love.',
  'secret: kubernetes.io/service-account-token',
  'token usage: 1234567890 tokens of 2000000000',
  'max_tokens: 4096, tokenizer=cl100k_base_v2_final',
  'uuid 550e8400-e29b-41d4-a716-446655440000',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'integrity sha512-MkpbGDqaJlYGzgTmpBnTKQqCxJFrYV2mHJCWlGFWIuDkbAtpQZtBVtnVZ5VdYYqNqoJ5oGPsRjqqpXHbQyWeHg==',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'https://user@example.com/path and https://example.com:8080/x',
  'postgres://localhost:5432/app and redis://cache:6379',
  'postgres://user:password@localhost/db is the default',
  'mongodb://%USER%:%PASSWORD%@db/app',
  'AKIA is the prefix of access keys; AKIAEXAMPLEEXAMPLE12 is not one',
  'ghp_ is the prefix of GitHub, hf_ of Hugging Face, gsk_ of Groq',
  'SKU SK1234567890 and AC units',
  'pattern, patient, patch.1234 and pat-tern',
  'whsec_ is a prefix too',
  'The SG.example domain and sq0 are short',
  'eyJ is how a JWT starts',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 jane@laptop',
  'key-value stores, key-frames and key-0123456789',
  'Use bearer authentication: see the documentation of the API.',
  'gpt-4o-mini-2024-07-18 and claude-haiku-4-5-20251001',
  'request_id=req_011CSHoEeqs5C35K2UUqR7Fy trace=4bf92f3577b34da6a3ce929d0e0e4736',
  'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz12 resp_68a1b2c3d4e5f60718293a4b5c6d7e8f',
  'cus_NffrFeUfNV2Hib, pi_3MtwBwLkdIwHu7ix28a3tqPa and price_1MoBy5LkdIwHu7ixZhnattbh are ids',
  'file-AbCdEfGhIjKlMnOp asst_abc123 thread_abc123',
  'className="sk-folding-cube sk-cube1-spinner"',
  'The token bucket has 100 tokens per minute.',
];

/** Examples of credentials, with what looks like them. */
export function secretExamples(): Example[] {
  const random = createRandom(30);
  const keys = Object.entries(FORMS).flatMap(([type, forms]) =>
    positives(
      type,
      Array.from({ length: 9 }, (_, i) => made(random, forms[i % forms.length] ?? [])),
      CODE,
    ),
  );
  const pem = `-----BEGIN RSA PRIVATE${' '}KEY-----\n${Array.from({ length: 6 }, () => randomText(random, 64)).join('\n')}\n-----END RSA PRIVATE${' '}KEY-----`;
  return [
    ...keys,
    ...positives('private_key', [pem, pem, pem], ['My key:\n{}', 'key = """{}"""', '{}\nwhat is wrong?']),
    ...positives(
      'azure_storage_key',
      Array.from({ length: 4 }, () => `${randomText(random, 86)}==`),
      ['DefaultEndpointsProtocol=https;AccountName=a;AccountKey={};EndpointSuffix=core.windows.net'],
    ),
    ...positives(
      'url_password',
      ['s3cr3tPw', 'Zx9!kLm2', randomText(random, 24)],
      [
        'postgres://app:{}@db.internal:5432/main',
        'connect to redis://default:{}@cache.acme.com:6379',
        'https://bot:{}@git.acme.com/repo.git',
      ],
    ),
    ...positives(
      'assigned_secret',
      ASSIGNMENTS.flatMap((_, i) => ASSIGNED.map((parts, j) => ((i + j) % 4 < 4 ? made(random, parts) : ''))),
      ASSIGNMENTS,
    ),
    ...positives('assigned_secret', PASSWORDS, [
      'password: {}',
      'PASSWORD={}',
      'my password is {}',
      'pwd="{}"',
      'Passwort: {}',
    ]),
    ...negatives(NEGATIVES),
    ...negatives(Array.from({ length: 30 }, () => `commit ${randomText(random, 40, HEX)} by ci`)),
    ...negatives(
      Array.from(
        { length: 30 },
        () => `id: ${randomText(random, 24)} etag: "${randomText(random, 32, HEX)}"`,
      ),
    ),
    ...negatives(
      Array.from(
        { length: 30 },
        () => `/static/chunk-${randomText(random, 20)}.js?v=${randomText(random, 8, HEX)}`,
      ),
    ),
  ];
}
