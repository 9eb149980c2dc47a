import { describe, expect, test } from 'vitest';
import { formatDsn, parseDsn } from './dsn.ts';

const KEY = '0123456789abcdef0123456789abcdef';

describe('formatDsn', () => {
  test('puts the key before the host and the project at the end, port and path kept', () => {
    expect(formatDsn('http://localhost:9000', KEY, 7)).toBe(`http://${KEY}@localhost:9000/7`);
    expect(formatDsn('https://errors.example.com', KEY, 12)).toBe(`https://${KEY}@errors.example.com/12`);
    expect(formatDsn('https://example.com/errata', KEY, 12)).toBe(`https://${KEY}@example.com/errata/12`);
  });
});

describe('parseDsn', () => {
  test('reads back what formatDsn wrote', () => {
    for (const publicUrl of ['http://localhost:9000', 'https://example.com/errata', 'http://[::1]:9000']) {
      expect(parseDsn(formatDsn(publicUrl, KEY, 42))).toEqual({
        baseUrl: publicUrl,
        publicKey: KEY,
        projectId: 42,
      });
    }
  });

  test('drops the secret key of the old form', () => {
    expect(parseDsn(`https://${KEY}:secret@example.com/3`)).toEqual({
      baseUrl: 'https://example.com',
      publicKey: KEY,
      projectId: 3,
    });
  });

  test.each([
    '',
    'nonsense',
    'https://example.com/3',
    `https://${KEY}@example.com/`,
    `https://${KEY}@example.com/slug`,
    `ftp://${KEY}@example.com/3`,
  ])('answers null for %j', (text) => {
    expect(parseDsn(text)).toBeNull();
  });
});
