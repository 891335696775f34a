/**
 * Exports of providers, with the columns that they document or write and figures of our own.
 */
const csv = (...lines: string[]): string => `${lines.join('\n')}\n`;

/** Claude Console, Cost. */
export const ANTHROPIC_COSTS = csv(
  'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed,api_key_id,api_key_status',
  '2026-10-04,Claude Haiku 4.5,Default,support,message,≤ 200k,input_no_cache,0.05,0.05,token,not_available,,apikey_01AAA,active',
  '2026-10-04,Claude Haiku 4.5,Default,support,message,≤ 200k,output,0.02,0.02,token,not_available,,apikey_01AAA,active',
  '2026-10-05,Claude Sonnet 4.5,Research,batch,message,≤ 200k,input_cache_read,0.90,1.00,token,not_available,,apikey_01BBB,archived',
  '2026-10-05,,Research,batch,message,,,0.30,0.30,web_search,not_available,,apikey_01BBB,archived',
  '2026-10-05,Claude Haiku 4.5,Default,support,message,≤ 200k,output,-0.01,0.00,token,not_available,,apikey_01AAA,active',
);

/** Claude Console, Usage. */
export const ANTHROPIC_USAGE = csv(
  'usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed',
  '2026-10-04,claude-haiku-4-5-20251001,support,Default,standard,≤ 200k,100,20,3,400,50,0,not_available,',
);

const OPENAI_COST_HEADINGS =
  'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,quantity,quantity_unit,line_item,user_id,api_key_id,project_id,organization_id,project_name,organization_name,user_email,api_source';
const DAY_4 = '1791072000,1791158400,2026-10-04T00:00:00+00:00,2026-10-05T00:00:00+00:00';
const DAY_5 = '1791158400,1791244800,2026-10-05T00:00:00+00:00,2026-10-06T00:00:00+00:00';
const OWNER = ',key_1,proj_a,org-1,Assistant,Acme,,';

/** OpenAI Platform, Usage, Spend, grouped by line item. */
export const OPENAI_COSTS = csv(
  OPENAI_COST_HEADINGS,
  `${DAY_4},0.600000000000,usd,240000,tokens,"gpt-4o-2024-08-06, input",${OWNER}`,
  `${DAY_4},0.1,usd,80000,tokens,"gpt-4o-2024-08-06, cached input",${OWNER}`,
  `${DAY_4},0.4,usd,,,"gpt-4o-2024-08-06, output",${OWNER}`,
  `${DAY_4},0.25,usd,25,,web search tool calls,${OWNER}`,
  `${DAY_4},0.05,usd,1,,"file search, storage",${OWNER}`,
  `${DAY_4},-0.1,usd,,,"gpt-4o-2024-08-06, output",${OWNER}`,
  `${DAY_5},0.3,eur,,,"gpt-5-nano, input",${OWNER}`,
);

/** The same, not grouped. */
export const OPENAI_COSTS_BY_DAY = csv(
  OPENAI_COST_HEADINGS,
  `1790985600,1791072000,2026-10-03T00:00:00+00:00,2026-10-04T00:00:00+00:00,,,,,,,,,,,,,`,
  `${DAY_4},1.10,usd,,,,,,,org-1,,Acme,someone@example.com,`,
  `${DAY_5},0.003835980000000000000000000000,usd,,,,,,,org-1,,Acme,someone@example.com,`,
);

/** OpenAI Platform, Usage. */
export const OPENAI_USAGE = csv(
  'start_time,end_time,start_time_iso,end_time_iso,num_model_requests,input_tokens,output_tokens,input_cached_tokens,input_audio_tokens,output_audio_tokens,project_id,project_name,user_id,api_key_id,model,batch,service_tier',
  `${DAY_4},120,120000,12000,48000,0,0,proj_a,Assistant,,key_1,gpt-4o-2024-08-06,false,default`,
  `${DAY_5},0,0,0,0,0,0,,,,,,,`,
);

/** OpenRouter, Activity. */
export const OPENROUTER_ACTIVITY = csv(
  'generation_id,created_at,cost_total,cost_web_search,cost_cache,cost_file_processing,byok_usage_inference,tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,provider_name,variant,cancelled,streamed,user,finish_reason_raw,finish_reason_normalized,generation_time_ms,time_to_first_token_ms,api_key_disabled,api_key_name,app_name',
  'gen-1,2026-10-04 02:37:51.271,0.01,0,0,0,0,100,200,0,20,openai/gpt-4o-2024-08-06,OpenAI,standard,false,true,,stop,stop,900,300,false,prod,Chat',
  'gen-2,2026-10-04 03:37:51.271,0.02,0,0,0,0.5,150,250,0,0,anthropic/claude-4.5-sonnet,Anthropic,standard,false,true,,stop,stop,900,300,false,prod,Chat',
);

const GCP = (service: string, sku: string, rest: string): string =>
  `Acme,0A-0B,acme-prod,acme-prod,acme.example,${service},S-1,${sku},K-1,Default,${rest}`;
const OCTOBER = '2026-10-01,2026-10-30';

/** Google Cloud console, Billing, Cost table of an invoice. */
export const GOOGLE_COST_TABLE = csv(
  'Invoice number,1234567890,',
  'Invoice date,2026-10-31,',
  'Due date,2026-11-30,',
  'Billing ID,0000-0000,',
  'Billing account ID,0A-0B,',
  'Currency,USD,',
  'Currency exchange rate,1,',
  'Total amount due,$5.72,',
  'Billing account name,Billing account ID,Project name,Project ID,Project hierarchy,Service description,Service ID,SKU description,SKU ID,Consumption model description,Credit type,Cost type,Usage start date,Usage end date,Usage amount,Usage unit,Unrounded Cost ($),Cost ($)',
  GCP('Compute Engine', 'E2 Instance Core', `,Usage,${OCTOBER},"6,282.708",hour,1000.005,1000.01`),
  GCP(
    'Vertex AI',
    'Gemini 2.5 Flash GA Text Input - Predictions',
    `,Usage,${OCTOBER},"5,000,000",count,1.5,1.50`,
  ),
  GCP(
    'Vertex AI',
    'Gemini 2.5 Flash GA Thinking Text Output - Predictions',
    `,Usage,${OCTOBER},"1,000,000",count,2.5,2.50`,
  ),
  GCP(
    'Gemini API',
    'Generate content input token count gemini 3.5 flash lite text',
    `,Usage,${OCTOBER},"1,000,000",count,0.25,0.25`,
  ),
  GCP(
    'Vertex AI',
    'Gemini 2.5 Flash GA Text Input - Predictions',
    `Promotional credit,Usage,${OCTOBER},1,count,-1,-1.00`,
  ),
  ',,,,,,,,,,,Tax,,,,,0.9,0.90',
  ',,,,,,,,,,,Rounding error,,,,,-0.003,-0.00',
  ',,,,,,,,,,,Total,,,,,1004.152,1004.15',
);

/** Google Cloud, the standard usage cost export in BigQuery, as CSV. */
export const GOOGLE_BIGQUERY = csv(
  'billing_account_id,service.description,sku.description,usage_start_time,usage_end_time,project.id,cost,currency,currency_conversion_rate,usage.amount,usage.unit,credits,invoice.month,cost_type',
  '0A-0B,Vertex AI,Gemini 2.5 Pro Thinking Text Output - Predictions,2026-10-04 23:00:00 UTC,2026-10-05 00:00:00 UTC,acme-prod,0.75,USD,1,50000,count,"[{""name"":""Free trial"",""amount"":-0.25}]",202610,regular',
);

const CUR_1 =
  'identity/LineItemId,bill/BillingPeriodStartDate,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/ProductCode,lineItem/UsageType,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedCost,product/ProductName,pricing/unit,pricing/publicOnDemandCost';
const CUR_2 =
  'identity_line_item_id,bill_billing_period_start_date,line_item_usage_account_id,line_item_line_item_type,line_item_usage_start_date,line_item_product_code,line_item_usage_type,line_item_usage_amount,line_item_currency_code,line_item_unblended_cost,product,pricing_unit,pricing_public_on_demand_cost';

const curLines = (product: (name: string) => string, start: string): string[] => {
  const line = (kind: string, code: string, rest: string): string =>
    `id,2026-10-01T00:00:00Z,111122223333,${kind},${start},${code},${rest}`;
  const claude = product('Claude Sonnet 4.5 (Amazon Bedrock Edition)');
  const own = product('Amazon Bedrock');
  return [
    line('Usage', 'AmazonBedrock', `USE1-NovaMicro-input-tokens,1000,USD,0.035,${own},1K tokens,0.035`),
    line('Usage', 'AmazonBedrock', `USE1-NovaMicro-output-tokens,100,USD,0.014,${own},1K tokens,0.014`),
    line('Usage', '2abcdefghijklmno', `USE1-MP:USE1_InputTokenCount-Units,2,USD,6.6,${claude},1M tokens,6.6`),
    line(
      'Usage',
      '2abcdefghijklmno',
      `USE1-MP:USE1_OutputTokenCount_Global-Units,0.1,USD,1.5,${claude},Units,1.5`,
    ),
    line('Tax', '2abcdefghijklmno', `,0,USD,0.5,${claude},,`),
    line('Credit', 'AmazonBedrock', `USE1-NovaMicro-input-tokens,0,USD,-1,${own},,`),
    line('Usage', 'AmazonEC2', `BoxUsage:t3.micro,10,USD,12.5,${product('')},Hrs,12.5`),
    line('Usage', 'AmazonBedrock', `USE1-Guardrail-ContentPolicyUnitsConsumed,3,USD,0.1,${own},Units,0.1`),
  ];
};

/** AWS Cost and Usage Report, version 1. */
export const AWS_CUR_1 = csv(CUR_1, ...curLines((name) => name, '2026-10-04T05:00:00Z'));
/** AWS Data Exports, Cost and Usage Report 2.0: the product is a map. */
export const AWS_CUR_2 = csv(
  CUR_2,
  ...curLines((name) => (name === '' ? '{}' : `"{""product_name"":""${name}""}"`), '2026-10-04 05:00:00.000'),
);

/** Azure Cost Management, cost and usage details. */
export const AZURE_COSTS = csv(
  'Date,SubscriptionName,ResourceGroup,MeterCategory,MeterSubCategory,MeterName,ProductName,Quantity,UnitOfMeasure,CostInBillingCurrency,BillingCurrency,costInUsd,ChargeType',
  '10/04/2026,Prod,rg,Foundry Models,Azure OpenAI,gpt-4o-mini-0718-Inp-glbl Tokens,Azure OpenAI,1000,1K,0.14,EUR,0.15,Usage',
  '10/04/2026,Prod,rg,Foundry Models,Azure OpenAI,gpt-4o-mini-0718-Outp-glbl Tokens,Azure OpenAI,100,1K,0.055,EUR,0.06,Usage',
  '10/04/2026,Prod,rg,Foundry Models,Azure OpenAI GPT5,5.4 nano cd Inp Gl 1M Tokens,Azure OpenAI GPT5,1,1M,0.018,EUR,0.02,Usage',
  '10/04/2026,Prod,rg,Virtual Machines,B Series,B2s,Virtual Machines B Series,10,1 Hour,8.2,EUR,9,Usage',
  '10/04/2026,Prod,rg,Foundry Models,Azure OpenAI,gpt-4o-mini-0718-Inp-glbl Tokens,Azure OpenAI,0,1K,-1.8,EUR,-2,Refund',
);
