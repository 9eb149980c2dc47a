import { EnvelopeReader } from '#protocol/envelope.ts';
import { REQUEST_BOUNDS } from '../request-bounds.ts';
import { authenticate, isRefused, matchDsn } from './authenticate.ts';
import { EnvelopeItems } from './envelope-items.ts';
import type { IngestAnswer, IngestDeps, IngestRequest } from './ingest-request.ts';
import { spoolRequest } from './spool-request.ts';

/** Accepts `POST /api/<project>/envelope/`: answers 200 only after the spool has synced it to disk. */
export async function acceptEnvelope(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const found = await authenticate(deps, request);
  if (isRefused(found)) return found;
  return spoolRequest(deps, request, found, 'event', async (reading) => {
    const items = new EnvelopeItems(deps, reading);
    const reader = new EnvelopeReader((header) => items.decide(header, reader));
    reading.seen = () => items.seen(reader);
    let chargedBytes = 0;
    const push = (chunk: Uint8Array) => {
      reader.push(chunk);
      reading.lease.charge(reader.heldBytes - chargedBytes);
      chargedBytes = reader.heldBytes;
    };
    const findKey = (): void | Promise<void> => {
      if (!reader.header) return;
      const key = matchDsn(deps, request, reading.key, reader.header);
      if (key instanceof Promise) {
        return key.then((admitted) => {
          reading.key = admitted;
        });
      }
      reading.key = key;
    };
    let isHeaderRead = false;
    await reading.take(REQUEST_BOUNDS.envelopeBytesMax, (chunk) => {
      if (isHeaderRead) return push(chunk);
      const used = reader.pushHeader(chunk);
      if (!reader.header) return;
      isHeaderRead = true;
      // Whose envelope it is must be known before an item of it goes anywhere.
      const pending = findKey();
      const rest = chunk.subarray(used);
      return pending ? pending.then(() => push(rest)) : push(rest);
    });
    const header = reader.end();
    if (!isHeaderRead) await findKey();
    return items.collect(reader, header);
  });
}
