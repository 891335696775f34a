/**
 * The form of a provider's credential. `starts`: what it begins with, in one of these ways; without them, `hint` is somewhere
 * in it. Looking for all of them at once costs a hundredth of the patterns. All quantifiers are bounded, so that each
 * pattern takes linear time.
 */
export type SecretForm = {
  readonly type: string;
  readonly form: RegExp;
} & ({ readonly starts: readonly string[] } | { readonly hint: string });

const whole = (body: string): string => `(?<![A-Za-z0-9_])(?:${body})(?![A-Za-z0-9_])`;

/** A credential that begins with one of some texts. */
const key = (type: string, starts: string | readonly string[], body: string): SecretForm => ({
  type,
  starts: [starts].flat(),
  form: new RegExp(whole(body), 'y'),
});

/** A credential that has a text inside, not at its start. */
const keyWith = (type: string, hint: string, body: string): SecretForm => ({
  type,
  hint,
  form: new RegExp(whole(body), 'g'),
});

const MODELS: readonly SecretForm[] = [
  key('anthropic_key', 'sk-ant-', 'sk-ant-(?:api|admin|oat|sid)\\d{2}-[\\w-]{60,200}'),
  key('openrouter_key', 'sk-or-', 'sk-or-v1-[0-9a-f]{64}'),
  key(
    'langfuse_key',
    ['sk-lf-', 'pk-lf-'],
    '[sp]k-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  ),
  key(
    'openai_key',
    'sk-',
    'sk-(?:(?:proj|svcacct|admin|None)-[\\w-]{20,200}|[A-Za-z0-9]{20,60}T3BlbkFJ[A-Za-z0-9]{20,60}|[A-Za-z0-9]{48})',
  ),
  key('deepseek_key', 'sk-', 'sk-[0-9a-f]{32}'),
  key('groq_key', 'gsk_', 'gsk_[A-Za-z0-9]{48,56}'),
  key('xai_key', 'xai-', 'xai-[A-Za-z0-9]{70,90}'),
  key('perplexity_key', 'pplx-', 'pplx-[A-Za-z0-9]{40,64}'),
  key('huggingface_token', ['hf_', 'api_org_'], '(?:hf|api_org)_[A-Za-z0-9]{30,40}'),
  key('replicate_token', 'r8_', 'r8_[A-Za-z0-9]{37,40}'),
  key('fireworks_key', 'fw_', 'fw_[A-Za-z0-9]{20,32}'),
  key('nvidia_key', 'nvapi-', 'nvapi-[\\w-]{60,80}'),
  key('cerebras_key', 'csk-', 'csk-[a-z0-9]{40,60}'),
  key('pinecone_key', 'pcsk_', 'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,80}'),
  key('langsmith_key', 'lsv2_', 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'),
  key('tavily_key', 'tvly-', 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,40}'),
  key('elevenlabs_key', 'sk_', 'sk_[0-9a-f]{48}'),
];

const CLOUDS: readonly SecretForm[] = [
  key('aws_access_key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  key('google_api_key', 'AIza', 'AIza[\\w-]{35}'),
  key('google_oauth_secret', 'GOCSPX-', 'GOCSPX-[\\w-]{28}'),
  key('google_oauth_token', 'ya29.', 'ya29\\.[\\w-]{40,400}'),
  keyWith('azure_storage_key', 'AccountKey=', '(?<=AccountKey=)[A-Za-z0-9+/]{86}=='),
  keyWith('azure_client_secret', 'Q~', '[\\w.~-]{3}\\dQ~[\\w.~-]{31,34}'),
  key('digitalocean_token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], 'do[opr]_v1_[0-9a-f]{64}'),
  key('alibaba_key', 'LTAI', 'LTAI[A-Za-z0-9]{17,21}'),
  key('heroku_key', 'HRKU-', 'HRKU-[\\w-]{36,66}'),
  key('flyio_token', 'FlyV1 ', 'FlyV1 fm\\d_[A-Za-z0-9+/=]{60,500}'),
  key('databricks_token', 'dapi', 'dapi[0-9a-f]{32}(?:-\\d)?'),
  key('vault_token', ['hvs.', 'hvb.'], 'hv[sb]\\.[\\w-]{24,200}'),
  keyWith('terraform_token', '.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}'),
  key('pulumi_token', 'pul-', 'pul-[0-9a-f]{40}'),
  key('netlify_token', 'nfp_', 'nfp_[A-Za-z0-9]{36,40}'),
  key('supabase_key', ['sbp_', 'sb_secret_'], 'sbp_[0-9a-f]{40}|sb_secret_[\\w-]{30,40}'),
  key('planetscale_token', 'pscale_', 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,64}'),
  key('neon_key', 'napi_', 'napi_[a-z0-9]{60,70}'),
];

const DEVELOPERS: readonly SecretForm[] = [
  key(
    'github_token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    'gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}',
  ),
  key('gitlab_token', ['glpat-', 'gldt-', 'glrt-', 'glptt-'], '(?:glpat|gldt|glrt|glptt)-[\\w-]{20,64}'),
  key('bitbucket_token', ['ATBB', 'ATCTT3'], 'ATBB[A-Za-z0-9]{32}|ATCTT3[\\w=-]{150,250}'),
  key('atlassian_token', 'ATATT3', 'ATATT3[\\w=-]{150,250}'),
  key('npm_token', 'npm_', 'npm_[A-Za-z0-9]{36}'),
  key('pypi_token', 'pypi-', 'pypi-AgE[\\w-]{50,250}'),
  key('rubygems_key', 'rubygems_', 'rubygems_[0-9a-f]{48}'),
  key('docker_token', 'dckr_', 'dckr_(?:pat|oat)_[\\w-]{27,40}'),
  key('postman_key', 'PMAK-', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  key('linear_key', 'lin_', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'),
  key('notion_token', ['ntn_', 'secret_'], 'ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43}'),
  key('figma_token', 'figd_', 'figd_[\\w-]{38,50}'),
  key('airtable_token', 'pat', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  key('doppler_token', 'dp.', 'dp\\.(?:pt|st|ct|sa)\\.(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  key('sentry_token', ['sntrys_', 'sntryu_'], 'sntrys_[A-Za-z0-9+/=_-]{60,400}|sntryu_[0-9a-f]{64}'),
  key('grafana_token', ['glsa_', 'glc_'], 'glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,400}'),
  key('newrelic_key', ['NRAK-', 'NRII-'], 'NR(?:AK-[A-Z0-9]{27}|II-[\\w-]{32})'),
  key('onepassword_token', 'ops_', 'ops_eyJ[\\w-]{200,1000}'),
  key('age_key', 'AGE-SECRET-KEY-', 'AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}'),
  key('spanledger_key', ['slk_', 'slt_'], 'sl[kt]_[0-9a-f]{64}'),
];

const BUSINESS: readonly SecretForm[] = [
  key(
    'stripe_key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    '[sr]k_(?:live|test)_[A-Za-z0-9]{24,120}',
  ),
  key('stripe_webhook_secret', 'whsec_', 'whsec_[A-Za-z0-9+/]{32,64}={0,2}'),
  key(
    'slack_token',
    ['xox', 'xapp-'],
    'xox[abposre]-[A-Za-z0-9-]{20,250}|xapp-\\d-[A-Z0-9]{8,14}-\\d{10,14}-[0-9a-f]{40,80}',
  ),
  key(
    'slack_webhook',
    'https://hooks.slack.com/',
    'https://hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/+_-]{30,120}',
  ),
  key(
    'discord_webhook',
    ['https://discord', 'https://ptb.discord', 'https://canary.discord'],
    'https://(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,90}',
  ),
  key('discord_token', ['M', 'N', 'O'], '[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,42}'),
  keyWith('telegram_token', ':AA', '\\d{8,10}:AA[\\w-]{33}'),
  key('twilio_key', ['SK', 'AC'], '(?:SK|AC)[0-9a-f]{32}'),
  key('sendgrid_key', 'SG.', 'SG\\.[\\w-]{22}\\.[\\w-]{43}'),
  key('mailgun_key', 'key-', 'key-[0-9a-f]{32}'),
  keyWith('mailchimp_key', '-us', '[0-9a-f]{32}-us\\d{1,2}'),
  key('brevo_key', 'xkeysib-', 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  key('resend_key', 're_', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}'),
  key('shopify_token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  key('square_token', ['sq0', 'EAAA'], 'sq0(?:atp|csp|idp)-[\\w-]{22,43}|EAAA[\\w+=-]{60}'),
  key('paypal_token', 'access_token$', 'access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[0-9a-f]{32}'),
  key('facebook_token', 'EAA', 'EAA[MC][A-Za-z0-9]{100,250}'),
  key(
    'hubspot_token',
    'pat-',
    'pat-(?:na|eu)\\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  ),
  key('dropbox_token', 'sl.', 'sl\\.(?:u\\.)?[\\w-]{130,1200}'),
  key('mapbox_token', 'sk.eyJ', 'sk\\.eyJ[\\w-]{60,100}\\.[\\w-]{20,30}'),
];

/** Credentials by the form that their provider gives them. */
export const PROVIDER_SECRETS: readonly SecretForm[] = [...MODELS, ...CLOUDS, ...DEVELOPERS, ...BUSINESS];
