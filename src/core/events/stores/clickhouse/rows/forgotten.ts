/**
 * What retention forgets of an event, and what stands there afterwards: everything but its time, figures, the dimensions
 * of sums and its place among agents and tools.
 */
export const FORGOTTEN: Readonly<Record<string, "''" | 'NULL'>> = {
  trace_id: "''",
  span_id: "''",
  operation: "''",
  tags_json: "''",
  metadata: "''",
  usage: "''",
  input: "''",
  output: "''",
  parent_span_id: 'NULL',
  session_id: 'NULL',
  name: 'NULL',
  agent: 'NULL',
  agent_version: 'NULL',
  tool: 'NULL',
  release: 'NULL',
  prompt_name: 'NULL',
  prompt_version: 'NULL',
  prompt_hash: 'NULL',
  sdk_version: 'NULL',
  finish_reason: 'NULL',
  error_message: 'NULL',
};
