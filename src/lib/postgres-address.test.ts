import { expect, test } from 'vitest';
import { parsePostgresAddress } from './postgres-address.ts';

test('one host is handed on as it is', () => {
  const text = 'postgres://errata:p%40ss@db.example.com/errata?sslmode=verify-full';
  expect(parsePostgresAddress(text)).toEqual({
    hosts: [{ host: 'db.example.com', port: 5432 }],
    wants: 'any',
    url: text,
  });
});

test('several hosts, each with its port, want one that can be written to', () => {
  const { hosts, wants, url } = parsePostgresAddress(
    'postgresql://errata:secret@a.lan:5433,b.lan,[::1]:5434/errata?sslmode=require&target_session_attrs=any',
  );
  expect(hosts).toEqual([
    { host: 'a.lan', port: 5433 },
    { host: 'b.lan', port: 5432 },
    { host: '::1', port: 5434 },
  ]);
  expect(wants).toBe('read-write');
  expect(url).toBe('postgresql://errata:secret@a.lan:5433/errata?sslmode=require');
});

test('one host can be asked to be writable as well', () => {
  expect(parsePostgresAddress('postgres://db/errata?target_session_attrs=primary').wants).toBe('primary');
});

test('a socket in a folder has no host to choose', () => {
  const text = 'postgres:///errata?user=errata&host=/run/postgresql';
  expect(parsePostgresAddress(text)).toEqual({ hosts: [], wants: 'any', url: text });
});

test.each([
  ['mysql://db/errata', /not a PostgreSQL URL/],
  ['postgres://a:5432,b:99999/errata', /no valid port/],
  ['postgres://a,,b/errata', /is not host:port/],
  ['postgres://a,b/errata?target_session_attrs=standby', /target_session_attrs "standby" is not supported/],
])('%s is refused', (text, message) => {
  expect(() => parsePostgresAddress(text)).toThrow(message);
});

test('a message never repeats the password', () => {
  const refuse = () => parsePostgresAddress('postgres://errata:hunter2@a,b c/errata');
  expect(refuse).toThrow();
  expect(refuse).not.toThrow(/hunter2/);
});
