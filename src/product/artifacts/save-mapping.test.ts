import { expect, test } from 'vitest';
import { debugIdOfContent, debugIdOfName, isMapping, looksLikeMapping } from './save-mapping.ts';

const readerOf = (bytes: Buffer) => ({
  bytes: bytes.length,
  read: async (from: number, to: number) => Buffer.from(bytes.subarray(from, to)),
  close: async () => {},
});
const MAPPING = 'com.example.Cart -> a.a:\n    1:1:void pay():5:5 -> a\n';

test('takes the debug id from names as tools write them', () => {
  const id = '747e1d76-509b-5225-8a5b-db7b7d4067d4';
  expect(debugIdOfName(`/proguard/${id}.txt`)).toBe(id);
  expect(debugIdOfName(`proguard/mapping-${id.toUpperCase()}.txt`)).toBe(id);
  expect(debugIdOfName(`proguard/${id}.dat`)).toBeNull();
  expect(debugIdOfName(`notproguard/${id}.txt`)).toBeNull();
  expect(debugIdOfName('mapping.txt')).toBeNull();
});

test('knows a mapping by its name and by a class in it', async () => {
  expect([looksLikeMapping('mapping.txt'), looksLikeMapping('libapp.so')]).toEqual([true, false]);
  expect(await isMapping(readerOf(Buffer.from(`# compiler: R8\n\n${MAPPING}`)))).toBe(true);
  expect(await isMapping(readerOf(Buffer.from('just a text\na -> b\n')))).toBe(false);
  expect(await isMapping(readerOf(Buffer.alloc(0)))).toBe(false);
});

test('makes the id of a mapping from its content as build tools do', async () => {
  // A version 5 UUID within the namespace that is itself one, of "guardsquare.com" among names of hosts.
  const id = await debugIdOfContent(readerOf(Buffer.from(MAPPING)));
  expect(id).toBe('d62f09c2-5d42-57d6-84b2-c0f8cbcd12af');
  expect(await debugIdOfContent(readerOf(Buffer.from(`${MAPPING} `)))).not.toBe(id);
});
