/** Types that browsers show as pictures without running anything of theirs. */
const PICTURES: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp']);
const PICTURE_BYTES_MAX = 20 * 1024 * 1024;
/** Beginning of a text that is shown. */
export const TEXT_PREVIEW_BYTES = 64 * 1024;

const TEXT_NAME = /\.(?:txt|log|json|jsonl|xml|ya?ml|csv|md|ini|conf|toml)$/i;

/** Whether a file can be looked at in the page: a vector picture is a program, and no picture here. */
export function previewKind(attachment: {
  name: string;
  contentType: string;
  bytes: number;
}): 'picture' | 'text' | null {
  const type = mediaType(attachment.contentType);
  if (PICTURES.has(type)) return attachment.bytes <= PICTURE_BYTES_MAX ? 'picture' : null;
  if (/^text\//.test(type) || type === 'application/json' || TEXT_NAME.test(attachment.name)) return 'text';
  return null;
}

/** `image/png` of `Image/PNG; q=1`. */
export const mediaType = (contentType: string): string =>
  (contentType.toLowerCase().split(';')[0] ?? '').trim();
