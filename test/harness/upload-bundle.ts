import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { BUNDLE_HEAD, makeZip } from './make-zip.ts';

export type BundledFile = {
  type: 'minified_source' | 'source_map' | 'source';
  url: string;
  content: string;
  headers?: Readonly<Record<string, string>>;
};

/**
 * Uploads an archive as the tools do: its bytes as a chunk, then what it is for. Throws unless it is taken. Answers its
 * number.
 */
export async function uploadBundle(
  { url, token, api }: { url: string; token: string; api: ApiClient },
  target: { projects: readonly string[]; version?: string; dist?: string },
  files: readonly BundledFile[],
  /** Of each request. */
  chunkBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  const paths = files.map((_, index) => `files/_/${index}`);
  const manifest = {
    files: Object.fromEntries(files.map(({ content: _, ...file }, index) => [paths[index], file])),
  };
  const bytes = makeZip(
    [
      { name: 'manifest.json', content: JSON.stringify(manifest) },
      ...files.map(({ content }, index) => ({ name: paths[index] ?? '', content })),
    ],
    { prefix: BUNDLE_HEAD },
  );
  const checksumOf = (part: Buffer) => createHash('sha1').update(part).digest('hex');
  const checksum = checksumOf(bytes);
  const chunks: string[] = [];
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    const chunk = bytes.subarray(from, Math.min(bytes.length, from + chunkBytes));
    const form = new FormData();
    form.append('file', new File([new Uint8Array(chunk)], checksumOf(chunk)));
    const sent = await fetch(`${url}/api/0/organizations/main/chunk-upload/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect([sent.status, sent.ok ? '' : await sent.text()]).toEqual([200, '']);
    chunks.push(checksumOf(chunk));
  }
  const answer = await api.request('POST', '/api/0/organizations/main/artifactbundle/assemble/', {
    checksum,
    chunks,
    ...target,
  });
  expect(answer).toMatchObject({ status: 200, body: { state: 'ok' } });
  const [newest] = await api.get<{ bundleId: string }[]>(
    `/api/0/projects/main/${target.projects[0]}/files/artifact-bundles/`,
  );
  expect(newest).toBeDefined();
  return newest?.bundleId ?? '';
}

/** A script with its map; `debugId` finds both. */
export const scriptWithMap = (debugId: string, map: string): readonly BundledFile[] => [
  {
    type: 'minified_source',
    url: '~/assets/app.js',
    content: `function a(b){return b.id}\n//# debugId=${debugId}\n`,
    headers: { 'debug-id': debugId, sourcemap: 'app.js.map' },
  },
  { type: 'source_map', url: '~/assets/app.js.map', content: map, headers: { 'debug-id': debugId } },
];
