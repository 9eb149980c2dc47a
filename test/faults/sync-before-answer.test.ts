import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { attachStrace, hasStrace, type SystemCall } from '../harness/strace.ts';

const SEQUENTIAL = 20;
const CONCURRENT = 60;
const WRITES = ['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'sendto', 'sendmsg'];
const SYNCS = ['fdatasync', 'fsync', 'msync'];
/** Flags of open(2) that make every write wait for the disk. */
const O_DSYNC = 0o10000;

let server: ErrataServer;

beforeAll(async () => {
  server = await startErrata();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test('the bytes of every event are synced to disk before its 200 is written', async (context) => {
  if (!hasStrace()) context.skip('no strace here');
  const dsn = parseDsn(server.dsn ?? '');
  const send = async () => {
    const event = makeJavascriptError({ issue: 1, bytes: 4000 });
    const answer = await postEnvelope(dsn, eventEnvelope(event));
    expect(answer.status).toBe(200);
    return event.event_id;
  };
  await send();
  const { edge } = await server.pids();
  const syncedFiles = findSyncedDescriptors(edge);
  const trace = await attachStrace(edge, [...WRITES, ...SYNCS]);
  const alone: string[] = [];
  for (let index = 0; index < SEQUENTIAL; index++) alone.push(await send());
  const together = await Promise.all(Array.from({ length: CONCURRENT }, send));
  const calls = await trace.stop();

  for (const id of [...alone, ...together]) {
    const { write, answer } = findWriteAndAnswer(calls, id);
    expect(write.text, `the write of ${id}`).toMatch(/ = [1-9]\d*$/);
    expect(write.endedAt, `the write of ${id} ends before its answer`).toBeLessThan(answer.startedAt);
    const isSynced =
      syncedFiles.has(descriptorOf(write)) ||
      calls.some(
        (call) =>
          SYNCS.includes(call.name) &&
          descriptorOf(call) === descriptorOf(write) &&
          call.startedAt >= write.endedAt &&
          call.endedAt < answer.startedAt &&
          / = 0$/.test(call.text),
      );
    expect(isSynced, `a sync between the write and the answer of ${id}`).toBe(true);
  }

  // Some that wait share a write, how many is a matter of the disk: else the disk would bound how many are taken.
  const writes = new Set(together.map((id) => findWriteAndAnswer(calls, id).write));
  expect(writes.size).toBeLessThan(CONCURRENT);
});

const isSpoolFile = (call: SystemCall): boolean => /^\w+\(\d+<[^>]*segment-\d+\.spool>/.test(call.text);

function findWriteAndAnswer(
  calls: readonly SystemCall[],
  eventId: string,
): { write: SystemCall; answer: SystemCall } {
  const write = calls.find(
    (call) => WRITES.includes(call.name) && isSpoolFile(call) && call.text.includes(eventId),
  );
  const answer = calls.find(
    (call) => WRITES.includes(call.name) && call.text.includes('HTTP/1.1 200') && call.text.includes(eventId),
  );
  if (!write) throw new Error(`The bytes of ${eventId} were never written to the spool`);
  if (!answer) throw new Error(`No 200 for ${eventId} was written`);
  return { write, answer };
}

const descriptorOf = (call: SystemCall | undefined): number =>
  Number(/^\w+\((\d+)</.exec(call?.text ?? '')?.[1]);

/** Descriptors of the process that were opened so that every write waits for the disk. */
function findSyncedDescriptors(pid: number): Set<number> {
  const found = new Set<number>();
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${name}`, 'utf8'))?.[1];
    const isSpool = readlinkSync(`/proc/${pid}/fd/${name}`).includes('segment-');
    if (isSpool && flags && (Number.parseInt(flags, 8) & O_DSYNC) !== 0) found.add(Number(name));
  }
  return found;
}
