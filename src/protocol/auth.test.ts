import { describe, expect, test } from 'vitest';
import { parseIngestAuth } from './auth.ts';

const KEY = 'b70a31b3510c4cf793964a185cfe1fd0';
const parse = (headers: { x?: string; authorization?: string }, query = '') =>
  parseIngestAuth(
    { xSentryAuth: headers.x, authorization: headers.authorization },
    new URLSearchParams(query),
  );

describe('the key of a request', () => {
  test.each([
    ['X-Sentry-Auth', { x: `Sentry sentry_version=7, sentry_client=a/1, sentry_key=${KEY}` }, ''],
    ['X-Sentry-Auth without blanks and with a secret', { x: `Sentry sentry_key=${KEY},sentry_secret=x` }, ''],
    ['Authorization: Sentry', { authorization: `Sentry sentry_key=${KEY}, sentry_version=7` }, ''],
    ['HTTP Basic', { authorization: `Basic ${btoa(`${KEY}:secret`)}` }, ''],
    ['the query', {}, `sentry_key=${KEY}&sentry_version=7`],
    ['header and query with the same key', { x: `Sentry sentry_key=${KEY}` }, `sentry_key=${KEY}`],
    ['upper case', { x: `Sentry sentry_key=${KEY.toUpperCase()}` }, ''],
  ])('is found in %s', (_where, headers, query) => {
    expect(parse(headers, query)).toMatchObject({ kind: 'key', publicKey: KEY });
  });

  test('is found in the path, and must be the same as elsewhere', () => {
    const none = { xSentryAuth: undefined, authorization: undefined };
    expect(parseIngestAuth(none, new URLSearchParams(), KEY.toUpperCase())).toMatchObject({ publicKey: KEY });
    expect(parseIngestAuth(none, new URLSearchParams(), 'nightly')).toMatchObject({ status: 400 });
    const header = { ...none, xSentryAuth: `Sentry sentry_key=${KEY}` };
    expect(parseIngestAuth(header, new URLSearchParams(), KEY)).toMatchObject({ publicKey: KEY });
    expect(parseIngestAuth(header, new URLSearchParams(), '0'.repeat(32))).toMatchObject({ status: 401 });
  });

  test('is absent when no form is used; a foreign Authorization header does not count', () => {
    expect(parse({})).toEqual({ kind: 'none' });
    expect(parse({ authorization: 'Bearer abc' })).toEqual({ kind: 'none' });
  });

  test.each([
    ['two different keys', { x: `Sentry sentry_key=${KEY}` }, `sentry_key=${'0'.repeat(32)}`, 401],
    ['a key of another form', { x: 'Sentry sentry_key=abc' }, '', 400],
    ['a version that does not exist', { x: `Sentry sentry_version=9, sentry_key=${KEY}` }, '', 400],
  ])('is refused with %s', (_what, headers, query, status) => {
    expect(parse(headers, query)).toMatchObject({ kind: 'refused', status });
  });
});
