import { open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type CityResponse, Reader } from 'maxmind';
import { invalid } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { MINUTE_MS } from '#lib/time.ts';

/** What an address tells, as Sentry names it. Absent: unknown. */
export type Place = { country_code?: string; city?: string; subdivision?: string; region?: string };

export type GeoDatabase = {
  /** null when the database knows nothing of the address, or it is none. */
  lookUp: (ip: string) => Readonly<Record<string, string>> | null;
  /** Tells the database now and when it is loaded again, in memory that every thread may read. One listener. */
  share: (listen: (bytes: Uint8Array) => void) => void;
  close: () => void;
};

/** Size of the database, which is kept in memory. */
const FILE_BYTES_MAX = 1024 ** 3;
const RELOAD_CHECK_MS = MINUTE_MS;
/** IP addresses whose location is cached. */
const ADDRESSES_CACHED_MAX = 10_000;
/** City databases and those that hold the same and more. */
const CITY_TYPE = /City|Enterprise|Insights|Location/i;

type Loaded = { reader: Reader<CityResponse>; bytes: Uint8Array; version: string };

/**
 * Opens a City database in the MMDB format and follows the file: a newer one is taken within a minute, one that cannot
 * be read leaves the older in use. Throws Invalid when there is no such database to begin with.
 */
export async function openGeoDatabase(
  path: string,
  log: Log,
  reloadCheckMs = RELOAD_CHECK_MS,
): Promise<GeoDatabase> {
  let current = await load(path);
  let places = cachedPlaces(current.reader);
  let onLoad: (bytes: Uint8Array) => void = () => {};
  let refused: string | null = null;
  let isChecking = false;

  async function reloadWhenChanged(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    let version: string | null = null;
    try {
      version = await versionOf(path);
      if (version === current.version || version === refused) return;
      current = await load(path);
      places = cachedPlaces(current.reader);
      onLoad(current.bytes);
      log.info({ path }, 'The geo database was reloaded');
    } catch (error) {
      if (version !== null || refused !== 'missing') {
        log.warn(
          { path, error: String(error) },
          'The geo database changed but could not be read: keeping the previous one',
        );
      }
      refused = version ?? 'missing';
    } finally {
      isChecking = false;
    }
  }
  const timer = setInterval(() => void reloadWhenChanged(), reloadCheckMs).unref();

  return {
    lookUp: (ip) => places(ip),
    share(listen) {
      onLoad = listen;
      listen(current.bytes);
    },
    close: () => clearInterval(timer),
  };
}

/** Looks up addresses in a database that `GeoDatabase.share` told. */
export const readGeoDatabase = (bytes: Uint8Array): GeoDatabase['lookUp'] =>
  cachedPlaces(new Reader<CityResponse>(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));

function cachedPlaces(reader: Reader<CityResponse>): GeoDatabase['lookUp'] {
  const known = new Map<string, Readonly<Record<string, string>> | null>();
  return (ip) => {
    const found = known.get(ip);
    if (found !== undefined) return found;
    const place = placeOf(reader, ip);
    if (known.size >= ADDRESSES_CACHED_MAX) known.delete(known.keys().next().value as string);
    known.set(ip, place);
    return place;
  };
}

async function load(path: string): Promise<Loaded> {
  const version = await versionOf(path);
  const bytes = await readShared(path);
  let reader: Reader<CityResponse>;
  try {
    reader = new Reader<CityResponse>(bytes);
    reader.get('192.0.2.1');
  } catch {
    throw invalid(`ERRATA_GEOIP_DATABASE: ${path} is not a complete MMDB file`);
  }
  const { databaseType } = reader.metadata;
  if (typeof databaseType === 'string' && CITY_TYPE.test(databaseType)) return { reader, bytes, version };
  throw invalid(
    `ERRATA_GEOIP_DATABASE: ${path} is a database of type "${databaseType}", not a city database`,
  );
}

/** The file may change while it is read: then it is no complete database, or the next look finds the newer one. */
async function readShared(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.from(new SharedArrayBuffer(size));
    for (let offset = 0; offset < size; ) {
      const { bytesRead } = await handle.read(bytes, offset, size - offset, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

async function versionOf(path: string): Promise<string> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw invalid(`ERRATA_GEOIP_DATABASE: ${path} could not be read (${error.code})`);
  });
  if (!facts.isFile()) throw invalid(`ERRATA_GEOIP_DATABASE: ${path} is not a file`);
  if (facts.size > FILE_BYTES_MAX) throw invalid(`ERRATA_GEOIP_DATABASE: ${path} is larger than 1 GiB`);
  return `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
}

/** Source: relay-event-normalization/src/geo.rs */
function placeOf(reader: Reader<CityResponse>, ip: string): Readonly<Record<string, string>> | null {
  // The reader takes the beginning of an address for the whole.
  if (isIP(ip) === 0) return null;
  let record: CityResponse | null;
  try {
    record = reader.get(ip);
  } catch {
    return null;
  }
  if (record === null) return null;
  const place: Place = {
    country_code: record.country?.iso_code,
    city: record.city?.names?.en,
    subdivision: record.subdivisions?.[0]?.names?.en,
    region: record.country?.names?.en,
  };
  const facts = Object.entries(place).filter(([, value]) => typeof value === 'string' && value !== '');
  return facts.length === 0 ? null : (Object.fromEntries(facts) as Record<string, string>);
}
