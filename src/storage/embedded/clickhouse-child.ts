/**
 * The process that is the embedded ClickHouse: it hands itself over to the engine's own command line, told to listen
 * on HTTP and then to wait for ever. Arguments: library, configuration file, data directory.
 */
import { flushCompileCache } from 'node:module';
import { DataType, load, open } from 'ffi-rs';

const [library, configFile, dataPath] = process.argv.slice(2);
if (!library || !configFile || !dataPath) throw new Error('usage: clickhouse-child LIBRARY CONFIG DATA');

// sleepEachRow instead of a busy query: an idle server must cost nothing.
const QUERY =
  'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1, max_threads = 1 FORMAT Null';
const args = ['clickhouse-local', `--config-file=${configFile}`, `--path=${dataPath}`, '--query', QUERY];

// This process is ended by a signal: what was compiled is kept now.
flushCompileCache();
open({ library: 'chdb', path: library });
const code = load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.I64,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
});
process.stderr.write(`ClickHouse ended (${String(code)})\n`);
process.exit(1);
