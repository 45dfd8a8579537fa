// Answers of ClickHouse to questions. In: "csv" or "ndjson" and a folder with such a file a table;
// then files of SQL. Out: a line of JSON a question, its rows.
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { Session } = require('chdb');

const [format, from, ...questions] = process.argv.slice(2);
const formats = { csv: 'CSVWithNames', ndjson: 'JSONEachRow' };
const session = new Session();
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
for (const table of ['runs', 'devices', 'kernels']) {
  const file = resolve(from, `${table}.${format}`);
  session.query(`CREATE TABLE ${table} ENGINE = MergeTree ORDER BY tuple() AS
    SELECT * FROM file(${quoted(file)}, ${formats[format]})`);
}
for (const question of questions) {
  const sql = readFileSync(question, 'utf8').trim().replace(/;$/, '');
  const { meta, data } = JSON.parse(session.query(sql, 'JSONCompact'));
  console.log(JSON.stringify({ columns: meta.map((column) => column.name), rows: data }));
}
session.close();
