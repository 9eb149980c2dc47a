import { readNativeImages } from '#pipeline/symbolicate/native/native-images.ts';
import type { NormalizedEvent } from '#protocol/event.ts';

export type MissingImage = { name: string; debugId: string };

/** Programs and libraries that frames of the event are in and whose symbols nobody uploaded, as the event was stored. */
export function missingImages(event: NormalizedEvent): readonly MissingImage[] {
  const images: unknown = event.debug_meta?.images;
  if (!Array.isArray(images)) return [];
  return readNativeImages(images)
    .filter(({ index }) => (images[index] as { debug_status?: unknown }).debug_status === 'missing')
    .map(({ name, debugId }) => ({ name, debugId }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
