import { parentPort, workerData } from 'node:worker_threads';
import { createReadAhead } from '#ingest/read-ahead.ts';
import { serveChunks } from '#ingest/understanding/thread-side.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import type { GeoLookup } from '#pipeline/item.ts';
import { writeEvents } from '#storage/clickhouse/written-events.ts';
import { readGeoDatabase } from '#storage/disk/geo-database.ts';
import type { DigestThreadData } from './digest-threads.ts';
import { openFileStores } from './open-blob-store.ts';

/** A thread of digest: it reads and scrubs bodies, understands records, and stores nothing. Outside of a thread it does nothing. */
if (parentPort) {
  const { faultPoints, progress, ...settings } = workerData as DigestThreadData & { progress: Int32Array };
  const { blobs } = await openFileStores(settings);
  let lookUp: GeoLookup = () => null;
  serveChunks(parentPort, progress, {
    faults: parseFaultPoints(faultPoints),
    createReadAhead: (rules, symbols) => createReadAhead(blobs, rules, symbols),
    lookUpGeo: (ip) => lookUp(ip),
    onGeo: (database) => {
      lookUp = readGeoDatabase(database);
    },
    write: writeEvents,
  });
}
