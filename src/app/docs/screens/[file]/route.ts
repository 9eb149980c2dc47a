import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getServices } from '#product/services.ts';
import { screenOf } from '../../guides/guide-links.ts';

/** A picture of a guide. Images for containers come without them. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  const file = screenOf(`screens/${(await params).file}`);
  const bytes = file && (await readFile(join(getServices().docsFolder, 'screens', file)).catch(() => null));
  if (!bytes) return new Response('There is no such picture', { status: 404 });
  return new Response(bytes, {
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' },
  });
}
