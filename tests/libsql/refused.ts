/** What a libSQL server refuses before SQLite sees it; from `query_analysis.rs` of its sources. */
const REFUSED: readonly RegExp[] = [
  /^(attach|detach|vacuum|reindex|analyze)\b/,
  /^create\s+(temp|temporary)\b/,
  /\btemp\s*\./,
  /^pragma\s+(case_sensitive_like|ignore_check_constraints|incremental_vacuum|optimize|shrink_memory|wal_checkpoint)\b/,
  /^pragma\s+(application_id|busy_timeout|cache_size|journal_mode|query_only|synchronous|temp_store|wal_autocheckpoint)\s*[=(]/,
];

/** @throws Error with the server's code */
export function refuse(sql: string): void {
  const text = sql.trim().toLowerCase();
  if (!REFUSED.some((refused) => refused.test(text))) return;
  throw Object.assign(new Error(`unsupported statement: ${sql}`), { code: 'SQL_PARSE_ERROR' });
}
