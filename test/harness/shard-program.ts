/**
 * A ClickHouse that other ones reach over its own protocol as well as over HTTP, as a shard has to be: the engine of the
 * embedded server, without what confines it. Arguments: library, folder with the configuration and the data.
 */
import { join } from 'node:path';
import { DataType, load, open } from 'ffi-rs';

const [library, folder] = process.argv.slice(2);
if (!library || !folder) throw new Error('usage: shard-program LIBRARY FOLDER');
const args = [
  'clickhouse-local',
  `--config-file=${join(folder, 'config.xml')}`,
  `--path=${join(folder, 'data')}`,
  '--query',
  'SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1, max_threads = 1 FORMAT Null',
];
open({ library: 'chdb', path: library });
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.I64,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
});
process.exit(1);
