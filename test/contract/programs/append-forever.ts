// Appends numbered records until it is killed, and prints each number once its record is said to be on disk.
import { writeSync } from 'node:fs';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';

const [folder = '', first = '1'] = process.argv.slice(2);
const writer = openSpoolWriter(folder, 1e9, { segmentBytes: 300_000 });
let next = Number(first);

async function appendForever(): Promise<never> {
  for (;;) {
    const number = next++;
    await writer.append([Buffer.from(`${number} `), Buffer.alloc(100 + ((number * 7919) % 6_000), 120)]);
    writeSync(1, `${number}\n`);
  }
}
await Promise.all(Array.from({ length: 20 }, appendForever));
