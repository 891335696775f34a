/**
 * How well a detector does on its examples. `precision`: the share of what it found that is right; `recall`: the share of
 * what it should find that it found. Null: there is nothing to divide by.
 */
export type Accuracy = {
  readonly check: string;
  readonly type: string;
  readonly examples: number;
  readonly found: number;
  readonly missed: number;
  readonly wrong: number;
  readonly precision: number | null;
  readonly recall: number | null;
};

export type Counts = Pick<Accuracy, 'examples' | 'found' | 'missed' | 'wrong'>;

export const toAccuracy = (
  check: string,
  type: string,
  { examples, found, missed, wrong }: Counts,
): Accuracy => ({
  check,
  type,
  examples,
  found,
  missed,
  wrong,
  precision: found + wrong === 0 ? null : found / (found + wrong),
  recall: found + missed === 0 ? null : found / (found + missed),
});

/**
 * The published figures, as `measureDetectors` measures them; a test compares both. They are kept because measuring takes
 * some tenths of a second and loads all examples. Check, type, examples, found, missed, wrong.
 */
const PUBLISHED = `
pii card 120 120 0 0
pii iban 102 102 0 0
pii email 62 62 0 0
pii phone 78 78 0 0
pii ip_address 12 12 0 0
pii crypto_wallet 3 3 0 0
pii date_of_birth 5 5 0 0
pii passport 4 4 0 0
pii us_ssn 4 4 0 0
pii uk_nino 3 3 0 0
pii uk_nhs 3 3 0 0
pii de_tax_id 3 3 0 0
pii fr_nir 2 2 0 0
pii es_dni 3 3 0 0
pii it_codice_fiscale 2 2 0 0
pii nl_bsn 2 2 0 0
pii be_rrn 2 2 0 0
pii pl_pesel 2 2 0 0
pii br_cpf 3 3 0 0
pii in_aadhaar 2 2 0 0
pii in_pan 1 1 0 0
pii ca_sin 2 2 0 0
pii au_tfn 2 2 0 0
pii se_personnummer 2 2 0 0
pii dk_cpr 1 1 0 0
pii fi_hetu 1 1 0 0
pii ch_ahv 2 2 0 0
pii cn_id 1 1 0 0
pii kr_rrn 1 1 0 0
pii mx_curp 2 2 0 0
secrets openai_key 9 9 0 0
secrets anthropic_key 9 9 0 0
secrets google_api_key 9 9 0 0
secrets aws_access_key 9 9 0 0
secrets github_token 9 9 0 0
secrets gitlab_token 9 9 0 0
secrets stripe_key 9 9 0 0
secrets slack_token 9 9 0 0
secrets slack_webhook 9 9 0 0
secrets discord_webhook 9 9 0 0
secrets telegram_token 9 9 0 0
secrets twilio_key 9 9 0 0
secrets sendgrid_key 9 9 0 0
secrets mailgun_key 9 9 0 0
secrets mailchimp_key 9 9 0 0
secrets npm_token 9 9 0 0
secrets pypi_token 9 9 0 0
secrets docker_token 9 9 0 0
secrets huggingface_token 9 9 0 0
secrets groq_key 9 9 0 0
secrets xai_key 9 9 0 0
secrets perplexity_key 9 9 0 0
secrets openrouter_key 9 9 0 0
secrets replicate_token 9 9 0 0
secrets digitalocean_token 9 9 0 0
secrets shopify_token 9 9 0 0
secrets square_token 9 9 0 0
secrets databricks_token 9 9 0 0
secrets vault_token 9 9 0 0
secrets grafana_token 9 9 0 0
secrets newrelic_key 9 9 0 0
secrets linear_key 9 9 0 0
secrets notion_token 9 9 0 0
secrets figma_token 9 9 0 0
secrets airtable_token 9 9 0 0
secrets postman_key 9 9 0 0
secrets atlassian_token 9 9 0 0
secrets langsmith_key 9 9 0 0
secrets langfuse_key 9 9 0 0
secrets pinecone_key 9 9 0 0
secrets supabase_key 9 9 0 0
secrets hubspot_token 9 9 0 0
secrets spanledger_key 9 9 0 0
secrets jwt 9 9 0 0
secrets private_key 3 3 0 0
secrets azure_storage_key 4 4 0 0
secrets url_password 3 3 0 0
secrets assigned_secret 33 33 0 1
urls url_denied 2 2 0 0
urls url_not_allowed 6 6 0 0
urls url_credentials 2 2 0 0
urls url_script 2 2 0 0
urls url_lookalike 2 2 0 0
prompt_injection prompt_injection 90 42 4 0
language en 4 4 0 0
language de 4 4 0 0
language fr 4 3 1 0
language es 4 4 0 0
language pt 4 4 0 0
language it 4 3 1 0
language nl 4 4 0 0
language sv 4 2 2 0
language pl 4 3 1 0
language tr 4 3 1 0
language ru 4 2 2 0
language uk 4 4 0 0
language ja 3 3 0 0
language zh 3 3 0 0
language ko 2 2 0 0
language ar 2 2 0 0
language hi 2 2 0 0
language el 1 1 0 0
language he 1 1 0 0
language th 1 1 0 0
`;

/** How precise each detector is on its examples. */
export const publishedAccuracies = (): Accuracy[] =>
  PUBLISHED.trim()
    .split('\n')
    .map((line) => {
      const [check = '', type = '', ...counts] = line.split(' ');
      const [examples = 0, found = 0, missed = 0, wrong = 0] = counts.map(Number);
      return toAccuracy(check, type, { examples, found, missed, wrong });
    });
