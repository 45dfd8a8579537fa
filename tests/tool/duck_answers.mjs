// Answers of DuckDB to questions. In: "csv" and a folder of *.csv, or "ndjson" and a file; then
// files of SQL. Out: a line of JSON a question, its rows. Values wider than a double stay text.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [format, from, ...questions] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
if (format === 'csv') {
  for (const file of readdirSync(from)) {
    const table = basename(file, '.csv');
    await connection.run(`CREATE TABLE ${table} AS
      SELECT * FROM read_csv(${quoted(join(from, file))}, header = true, sample_size = -1)`);
  }
} else {
  await connection.run(`CREATE TABLE everything AS
    SELECT * FROM read_json(${quoted(from)}, format = 'newline_delimited', sample_size = -1)`);
  for (const table of ['runs', 'devices', 'kernels']) {
    await connection.run(`CREATE VIEW ${table} AS
      SELECT * FROM everything WHERE "table" = ${quoted(table)}`);
  }
}
for (const question of questions) {
  const reader = await connection.runAndReadAll(readFileSync(question, 'utf8'));
  console.log(JSON.stringify({ columns: reader.columnNames(), rows: reader.getRowsJson() }));
}
