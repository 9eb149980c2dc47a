import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { BY_ID_SETTINGS } from './by-id-settings.ts';
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

/** A server that refuses as often, for this reason, and answers then; and how often it was asked. */
async function openRefusing(refusals: number, reason: string) {
  let asked = 0;
  const server = createHttpServer((request, response) => {
    request.resume();
    if (asked++ >= refusals) return response.end('{"one":1}\n');
    response.writeHead(500, { 'x-clickhouse-exception-code': '241' });
    return response.end(`Code: 241. DB::Exception: ${reason}. (MEMORY_LIMIT_EXCEEDED) (version 26.5.1)\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const database = openClickhouse(`http://127.0.0.1:${port}/errata`);
  return {
    database,
    asked: () => asked,
    async close() {
      await database.close();
      server.close();
    },
  };
}

test('a read is asked again while the server as a whole is short of memory, not for ever', async () => {
  const total = '(total) memory limit exceeded: would use 320.73 MiB, maximum: 320.00 MiB';
  const passing = await openRefusing(2, total);
  expect(await passing.database.query('SELECT 1 AS one', {})).toEqual([{ one: 1 }]);
  expect(passing.asked()).toBe(3);
  await passing.close();
  const lasting = await openRefusing(100, total);
  await expect(lasting.database.query('SELECT 1', {})).rejects.toMatchObject({ code: 'unavailable' });
  expect(lasting.asked()).toBe(4);
  await lasting.close();
});

test('a read that needs too much itself is asked once', async () => {
  const own = await openRefusing(100, '(for query) memory limit exceeded: would use 400.00 MiB');
  await expect(own.database.query('SELECT 1', {})).rejects.toMatchObject({ code: 'unavailable' });
  expect(own.asked()).toBe(1);
  await own.close();
});

test('a server that does not know newer settings is asked without them, and not with them again', async () => {
  const asked: string[] = [];
  const server = createHttpServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    asked.push(text);
    if (!text.includes('use_primary_key')) return response.end('{"one":1}\n');
    response.writeHead(404, { 'x-clickhouse-exception-code': '115' });
    return response.end(
      "Code: 115. DB::Exception: Setting use_primary_key is neither a builtin setting nor started with the prefix 'custom_'. (UNKNOWN_SETTING) (version 25.8.1)\n",
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const database = openClickhouse(`http://127.0.0.1:${port}/errata`);
  try {
    for (let round = 0; round < 2; round++)
      expect(await database.query(`SELECT 1 AS one ${BY_ID_SETTINGS}`, {})).toEqual([{ one: 1 }]);
    expect(asked.map((text) => text.includes('use_primary_key'))).toEqual([true, false, false]);
    await expect(database.query('SELECT use_primary_key', {})).rejects.toMatchObject({
      type: 'UNKNOWN_SETTING',
    });
  } finally {
    await database.close();
    server.close();
  }
});
