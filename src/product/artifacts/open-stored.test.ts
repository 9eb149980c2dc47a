import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Context } from '#product/context.ts';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import { openStored } from './open-stored.ts';

const BYTES = Buffer.alloc(3 * 1024 * 1024, 'x');

function contextOf(reader: Partial<ArtifactFileReader> | null) {
  const closed: string[] = [];
  const file = {
    bytes: BYTES.length,
    read: async (from: number, to: number) => Buffer.from(BYTES.subarray(from, to)),
    close: async () => void closed.push('closed'),
    ...reader,
  };
  const stores = { artifactFiles: { open: async () => reader && file } } as unknown as Context['stores'];
  return { ctx: { stores, organization: { id: 1 } as Context['organization'] }, closed };
}

test('gives all bytes, and lets go of the file at the end', async () => {
  const { ctx, closed } = contextOf({});
  const { content, bytes } = await openStored(ctx, 'checksum');
  expect(Buffer.concat(await content.toArray()).equals(BYTES)).toBe(true);
  expect(bytes).toBe(BYTES.length);
  expect(closed).toEqual(['closed']);
});

test.each(['before anything was read', 'in the middle'])(
  'lets go of the file that is given up %s',
  async (when) => {
    const { ctx, closed } = contextOf({});
    const { content } = await openStored(ctx, 'checksum');
    if (when === 'in the middle') await once(content, 'readable');
    content.destroy();
    await once(content, 'close');
    expect(closed).toEqual(['closed']);
  },
);

test('lets go of a file that cannot be read', async () => {
  const { ctx, closed } = contextOf({ read: async () => Promise.reject(new Error('The disk is gone')) });
  const { content } = await openStored(ctx, 'checksum');
  await expect(content.toArray()).rejects.toThrow('The disk is gone');
  expect(closed).toEqual(['closed']);
});

test('says that bytes are gone', async () => {
  const { ctx } = contextOf(null);
  await expect(openStored(ctx, 'checksum')).rejects.toMatchObject({ code: 'not_found' });
});
