/** A program or a library that was loaded, as an event names it. */
export type NativeImage = {
  /** Its place in `debug_meta.images`. */
  index: number;
  start: bigint;
  end: bigint;
  /** Lower case, with dashes, an age other than 0 behind another one. */
  debugId: string;
  /** For people: the file, without its folder. */
  name: string;
};

/** Images of one event that are looked at. */
const IMAGES_MAX = 2_000;
const TYPES: ReadonlySet<unknown> = new Set(['elf', 'macho', 'pe', 'wasm', 'symbolic', 'apple']);
const NAME_CHARS_MAX = 200;

/**
 * Those that have an id and an address, in the order of their addresses.
 * Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/debugmeta/
 */
export function readNativeImages(images: unknown): readonly NativeImage[] {
  const found: NativeImage[] = [];
  const sent: readonly unknown[] = Array.isArray(images) ? images.slice(0, IMAGES_MAX) : [];
  for (const [index, image] of sent.entries()) {
    if (typeof image !== 'object' || image === null) continue;
    const { type, debug_id: id, uuid, id: oldId, ...rest } = image as Readonly<Record<string, unknown>>;
    const debugId = toNativeDebugId(id ?? uuid ?? oldId);
    const start = toAddress(rest.image_addr);
    if (!TYPES.has(type) || debugId === null || start === null) continue;
    const size = toAddress(rest.image_size) ?? 0n;
    const file = [rest.code_file, rest.debug_file, rest.name].find(
      (name) => typeof name === 'string' && name !== '',
    );
    found.push({
      index,
      start,
      // Without a size it lasts until the next one.
      end: size > 0n ? start + size : MAX,
      debugId,
      name: (
        String(file ?? '')
          .split(/[\\/]/)
          .at(-1) || debugId
      ).slice(0, NAME_CHARS_MAX),
    });
  }
  return found.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.index - b.index));
}

const MAX = 1n << 64n;

/** The image that holds an address; null outside all of them. */
export function imageAt(at: bigint, images: readonly NativeImage[]): NativeImage | null {
  let low = 0;
  let high = images.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((images[middle] as NativeImage).start <= at) low = middle + 1;
    else high = middle;
  }
  const image = images[low - 1];
  return image && at < image.end ? image : null;
}

/** `0x` and hex digits, or a number; null for anything else. */
export function toAddress(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  if (typeof value !== 'string') return null;
  return /^(?:0x[0-9a-f]{1,16}|\d{1,19})$/i.test(value) ? BigInt(value) : null;
}

const ID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})-?([0-9a-f]{0,8})$/;

/** Of symbol files and images: a UUID, and the age in hex unless it is 0; null for anything else. */
export function toNativeDebugId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 60) return null;
  const parts = ID.exec(value.trim().toLowerCase());
  if (!parts) return null;
  const age = Number.parseInt(parts[6] || '0', 16);
  const id = parts.slice(1, 6).join('-');
  return age === 0 ? id : `${id}-${age.toString(16)}`;
}
