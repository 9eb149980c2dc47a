import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The yardstick: reads the same bodies and answers as the edge does, and keeps nothing.
const ANSWER = JSON.stringify({ id: '0'.repeat(32) });

const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.writeHead(bytes > 0 ? 200 : 400, {
      'content-type': 'application/json',
      'content-length': ANSWER.length,
    });
    response.end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
