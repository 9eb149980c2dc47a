import type { Log } from '#lib/log.ts';
import type { SpoolReader, SpoolWriter } from '#storage/ports/spool.ts';
import { hasOldSpool } from '#storage/spool-files/has-old-spool.ts';
import { continueSpool, readOrMakeIdentity } from '#storage/spool-files/identity.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';

/** The spool of a data directory, to write to. One process at a time. */
export async function openSpoolToWrite(folder: string, bytesMax: number, log: Log): Promise<SpoolWriter> {
  await nameSpool(folder);
  return openSpoolWriter(folder, bytesMax, { onDamage: (detail) => log.error({ detail }, DAMAGED) });
}

/** The spool of a data directory, to read; what release 0.1 left waiting comes first, and is then removed. */
export async function openSpoolToRead(folder: string, log: Log): Promise<SpoolReader> {
  await nameSpool(folder);
  const spool = openSpoolReader(folder, { onDamage: (detail) => log.error({ detail }, DAMAGED) });
  if (!hasOldSpool(folder)) return spool;
  const { openOldSpoolReader, removeOldSpool } = await loadOldSpool();
  return continueSpool(openOldSpoolReader(folder), spool, () => {
    removeOldSpool(folder);
    log.info({ folder }, 'The spool of the former release is drained and removed');
  });
}

/** Its engine takes memory that no role needs any more. */
const loadOldSpool = () => import('#storage/lmdb/old-spool.ts');

const DAMAGED = 'A part of the spool cannot be read';

/** A spool goes on under the name and the positions of the one of release 0.1: the relational store knows them. */
async function nameSpool(folder: string): Promise<void> {
  const origin = hasOldSpool(folder) ? await (await loadOldSpool()).describeOldSpool(folder) : null;
  readOrMakeIdentity(folder, () => origin);
}
