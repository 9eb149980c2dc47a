import { Readable } from 'node:stream';

/** Types that a browser may show; all others are only bytes to it. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
]);
const NAME_CHARACTERS_MAX = 200;

/**
 * Streams what somebody sent, so that no browser takes it for a page of ours: it is to be saved, its type is not
 * guessed, and whatever shows it anyway does so in a sandbox.
 */
export function answerDownload(
  { content, bytes }: { content: Readable; bytes: number },
  { name, contentType }: { name: string; contentType: string },
): Response {
  const [type = ''] = contentType.toLowerCase().split(';');
  return new Response(Readable.toWeb(content) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': SHOWN_TYPES.has(type.trim()) ? type.trim() : 'application/octet-stream',
      'content-length': String(bytes),
      'content-disposition': attachmentNamed(name),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      vary: 'Authorization, Cookie',
    },
  });
}

/** The name in ASCII for old programs, and as it is for all others. Source: RFC 6266. */
function attachmentNamed(name: string): string {
  const bare =
    name
      .toWellFormed()
      .replace(/^.*[/\\]/, '')
      .slice(0, NAME_CHARACTERS_MAX) || 'download';
  const ascii = bare.replace(/[^\w. ()+-]/g, '_');
  const encoded = encodeURIComponent(bare.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
