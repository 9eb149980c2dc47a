import type { RawItem } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { ProfileSkimmer, type ProfileSummary } from './profile-skimmer.ts';

/** What is known of an item's profile, wherever its body lies; null when it is no JSON object. */
export function readSummary(item: RawItem): ProfileSummary | null {
  if (item.head) return parseSummary(item.head);
  if (item.blob) return null;
  const skimmer = new ProfileSkimmer();
  skimmer.push(item.payload);
  return skimmer.end();
}

/** How the summary of a profile in a blob is handed on, in `head`. */
export const writeSummary = (summary: ProfileSummary | null): Uint8Array =>
  Buffer.from(JSON.stringify(summary));

function parseSummary(head: Uint8Array): ProfileSummary | null {
  try {
    const summary: unknown = JSON.parse(
      Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8'),
    );
    return isSource(summary) && isSource(summary.fields) ? (summary as ProfileSummary) : null;
  } catch {
    return null;
  }
}
