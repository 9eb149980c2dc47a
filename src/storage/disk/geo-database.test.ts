import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { Log } from '#lib/log.ts';
import { type GeoDatabase, openGeoDatabase } from './geo-database.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures');
const CITY = join(FIXTURES, 'places-city.mmdb');
const CHECK_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'errata-geo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const warnings: unknown[] = [];
const log = {
  info: () => {},
  warn: (facts: unknown) => warnings.push(facts),
} as unknown as Log;

let database: GeoDatabase | null = null;
afterEach(() => {
  database?.close();
  database = null;
  warnings.length = 0;
});

test('tells country, city and the first subdivision of an address', async () => {
  database = await openGeoDatabase(CITY, log);
  const vienna = { country_code: 'AT', city: 'Vienna', subdivision: 'Vienna State', region: 'Austria' };
  expect(database.lookUp('203.0.113.7')).toEqual(vienna);
  expect(database.lookUp('203.0.113.7')).toEqual(vienna);
  expect(database.lookUp('198.51.100.1')).toEqual({ country_code: 'NZ', region: 'New Zealand' });
  expect(database.lookUp('2001:db8:1::1')).toMatchObject({ city: 'Porto', subdivision: 'Norte' });
});

test('of other addresses, and of what is none, it tells nothing', async () => {
  database = await openGeoDatabase(CITY, log);
  for (const ip of ['192.0.2.1', '::1', '', 'not an address', '203.0.113']) {
    expect([ip, database.lookUp(ip)]).toEqual([ip, null]);
  }
});

test.each([
  ['a file that is not there', join(folder, 'missing.mmdb'), /missing\.mmdb could not be read \(ENOENT\)/],
  ['a folder', folder, /is not a file/],
  ['another database', join(FIXTURES, 'places-asn.mmdb'), /type "Test-ASN", not a city database/],
])('refuses %s', async (_name, path, message) => {
  await expect(openGeoDatabase(path, log)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  });
});

test('refuses what is no database, or only a part of one', async () => {
  const { readFileSync } = await import('node:fs');
  const whole = readFileSync(CITY);
  for (const [index, bytes] of [Buffer.from('hello'), Buffer.alloc(0), whole.subarray(0, 900)].entries()) {
    const path = join(folder, `broken-${index}.mmdb`);
    writeFileSync(path, bytes);
    await expect(openGeoDatabase(path, log)).rejects.toThrow(
      /ERRATA_GEOIP_DATABASE: .* not a complete MMDB file/,
    );
  }
});

test('takes a newer file, and keeps the older one while the newer cannot be read', async () => {
  const path = join(folder, 'places.mmdb');
  copyFileSync(CITY, path);
  database = await openGeoDatabase(path, log, CHECK_MS);
  expect(database.lookUp('203.0.113.7')).toMatchObject({ city: 'Vienna' });

  writeFileSync(path, 'half a down');
  await vi.waitFor(() => expect(warnings).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, CHECK_MS * 4));
  // Told once, not at every look.
  expect(warnings).toHaveLength(1);
  expect(database.lookUp('203.0.113.7')).toMatchObject({ city: 'Vienna' });

  copyFileSync(join(FIXTURES, 'places-city-newer.mmdb'), join(folder, 'next.mmdb'));
  renameSync(join(folder, 'next.mmdb'), path);
  await vi.waitFor(() => expect(database?.lookUp('203.0.113.7')).toMatchObject({ city: 'Graz' }));
  expect(database.lookUp('198.51.100.1')).toBeNull();

  rmSync(path);
  await vi.waitFor(() => expect(warnings).toHaveLength(2));
  expect(database.lookUp('203.0.113.7')).toMatchObject({ city: 'Graz' });
});
