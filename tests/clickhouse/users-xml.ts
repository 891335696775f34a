/** The databases of a stand-in: each store under test takes one. */
export const DATABASES = Array.from({ length: 1_000 }, (_, place) => `events_${place}`);
/** The user that writes, for whom no policy holds. */
export const WRITER = 'writer';

const TABLES = ['events', 'tag_values', 'repriced_events', 'rollup_days', 'rollup_marks', 'rollup_builds'];

/**
 * The row policy as the engine in process knows it. It has one user and no settings of its own, so `log_comment` stands
 * for `SQL_project_ids`.
 */
const FILTER = `getSetting('log_comment') = '${WRITER}' OR has(arrayMap(x -> toUInt32OrZero(x), splitByChar(',', getSetting('log_comment'))), project)`;

export const usersXml = `<clickhouse>
  <profiles><default/></profiles><quotas><default/></quotas>
  <users><default>
    <password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <access_management>1</access_management>
    <databases>${DATABASES.map(
      (name) =>
        `<${name}>${TABLES.map((table) => `<${table}><filter>${FILTER}</filter></${table}>`).join('')}</${name}>`,
    ).join('')}</databases>
  </default></users>
</clickhouse>`;

export const configXml = (users: string): string =>
  `<clickhouse><user_directories><users_xml><path>${users}</path></users_xml></user_directories></clickhouse>`;
