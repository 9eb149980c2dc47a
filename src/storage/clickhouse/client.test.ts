import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openClickhouse } from './open-clickhouse.ts';

/** As the server tells of progress: one header after the other, before the answer. */
const PROGRESS = `X-ClickHouse-Progress: {"read_rows":"12345678901","read_bytes":"1234567890123","written_rows":"12345678901","written_bytes":"1234567890123","total_rows_to_read":"12345678901","result_rows":"0","result_bytes":"0","elapsed_ns":"43200000000000"}\r\n`;

test('a statement that gives signs of life for twelve hours ends well', async () => {
  const signs = (12 * 3_600) / 10;
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.end(
        `HTTP/1.1 200 OK\r\n${PROGRESS.repeat(signs)}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const database = openClickhouse(`http://127.0.0.1:${port}/errata`);
  try {
    await expect(database.write('SELECT 1', {})).resolves.toBeUndefined();
  } finally {
    await database.close();
    server.close();
  }
});
