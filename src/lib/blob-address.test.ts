import { expect, test } from 'vitest';
import { bucketUrl, describeBucket, parseBlobAddress } from './blob-address.ts';

const AMAZON = {
  kind: 'bucket',
  bucket: 'errors',
  prefix: '',
  endpoint: null,
  region: 'us-east-1',
  isPathStyle: false,
};

test.each([
  ['s3://errors', AMAZON],
  ['s3://errors/', AMAZON],
  ['s3://errors/errata/blobs/', { ...AMAZON, prefix: 'errata/blobs/' }],
  ['s3://errors?region=eu-central-1', { ...AMAZON, region: 'eu-central-1' }],
  [
    's3://errors/e?endpoint=http://127.0.0.1:7070/',
    { ...AMAZON, prefix: 'e/', endpoint: 'http://127.0.0.1:7070', isPathStyle: true },
  ],
  [
    's3://errors?endpoint=https://s3.example.com&path-style=off',
    { ...AMAZON, endpoint: 'https://s3.example.com' },
  ],
  ['file:///var/lib/errata/blobs', { kind: 'folder', folder: '/var/lib/errata/blobs' }],
  ['file:///with%20space', { kind: 'folder', folder: '/with space' }],
])('reads %s', (text, address) => {
  const parsed = parseBlobAddress(text);
  expect(parsed).toEqual(address);
  if (parsed.kind === 'bucket') expect(parseBlobAddress(bucketUrl(parsed))).toEqual(address);
});

test.each([
  ['errors', /s3:\/\/bucket/],
  ['https://errors', /s3:\/\/bucket/],
  ['file://host/folder', /file:\/\/\/folder/],
  ['file:///', /file:\/\/\/folder/],
  ['s3://', /not the name of a bucket|s3:\/\/bucket/],
  ['s3://E', /not the name of a bucket/],
  ['s3://key:secret@errors', /ERRATA_S3_ACCESS_KEY_ID/],
  ['s3://errors/a b', /not a prefix/],
  ['s3://errors/a//b', /not a prefix/],
  ['s3://errors?regoin=x', /"regoin" is unknown/],
  ['s3://errors?region=EU!', /not a region/],
  ['s3://errors?path-style=yes', /neither on nor off/],
  ['s3://errors?endpoint=ftp://x', /http or https/],
  ['s3://errors?endpoint=https://a:b@x', /http or https/],
  ['s3://errors?endpoint=https://:b@x', /http or https/],
])('refuses %s', (text, message) => {
  expect(() => parseBlobAddress(text)).toThrow(message);
});

test('no message repeats what may be a secret', () => {
  expect(() => parseBlobAddress('s3://AKIA:hidden@errors')).toThrow(/^(?!.*hidden)/);
});

test('is named without its endpoint', () => {
  expect(describeBucket({ bucket: 'errors', prefix: 'a/b/' })).toBe('s3://errors/a/b');
  expect(describeBucket({ bucket: 'errors', prefix: '' })).toBe('s3://errors');
});
