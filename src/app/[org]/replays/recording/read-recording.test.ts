import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packRecording } from '../../../../../test/harness/sample-replay.ts';
import { readEvents, readSegments, type SentSegment } from './read-recording.ts';

const framed = (segmentId: number, kind: SentSegment['kind'], content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ segmentId, kind, bytes: content.length })}\n`), content]);

const streamOf = (chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

async function readAll(bytes: Buffer, chunkBytes: number): Promise<SentSegment[]> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  const segments: SentSegment[] = [];
  for await (const segment of readSegments(streamOf(chunks))) segments.push(segment);
  return segments;
}

test.each([1, 7, 1_000_000])(
  'segments come whole, whatever pieces of %i bytes they came in',
  async (chunkBytes) => {
    const [one, two] = [packRecording(0, [{ type: 4 }]), Buffer.from([10, 0, 10, 255])];
    const segments = await readAll(
      Buffer.concat([
        framed(0, 'recording', one),
        framed(0, 'video', two),
        framed(1, 'recording', Buffer.alloc(0)),
      ]),
      chunkBytes,
    );
    expect(segments.map(({ segmentId, kind, content }) => [segmentId, kind, Buffer.from(content)])).toEqual([
      [0, 'recording', one],
      [0, 'video', two],
      [1, 'recording', Buffer.alloc(0)],
    ]);
  },
);

test('a stream that breaks off ends with the last whole segment', async () => {
  const whole = framed(0, 'video', Buffer.from('abc'));
  expect(
    await readAll(Buffer.concat([whole, framed(1, 'video', Buffer.from('abc')).subarray(0, -1)]), 5),
  ).toHaveLength(1);
  expect(await readAll(Buffer.concat([whole, Buffer.alloc(5_000, 'x')]), 500)).toHaveLength(1);
});

test('events are read packed and plain', async () => {
  const events = [{ type: 4, timestamp: 1 }];
  const plain = Buffer.from(`{"segment_id":0}\n${JSON.stringify(events)}`);
  expect(await readEvents(packRecording(0, events), { bytes: 0 })).toEqual(events);
  expect(await readEvents(plain, { bytes: 0 })).toEqual(events);
});

test.each([
  ['no JSON', Buffer.from('{"segment_id":0}\n[oops')],
  ['no list', packRecording(0, { type: 4 } as never)],
  ['no zlib', Buffer.from('{"segment_id":0}\nxyz')],
  ['a bomb', Buffer.concat([Buffer.from('{}\n'), deflateSync(Buffer.alloc(40 * 1024 * 1024, ' '))])],
])('%s is read as nothing', async (_, content) => {
  expect(await readEvents(content, { bytes: 0 })).toEqual([]);
});

test('what was unpacked before counts against the whole recording', async () => {
  const inflated = { bytes: 256 * 1024 * 1024 - 10 };
  expect(await readEvents(packRecording(0, [{ type: 4, timestamp: 1 }]), inflated)).toEqual([]);
});
