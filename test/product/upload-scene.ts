import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { assembleBundle } from '#product/artifacts/assemble-bundle.ts';
import { storeChunk } from '#product/artifacts/store-chunk.ts';
import type { Context } from '#product/context.ts';

export const DEBUG_ID = '0d6f3c1e-6a43-4b1f-9f0a-7a4e2d1c5b38';

export const sha1 = (bytes: Buffer | string): string => createHash('sha1').update(bytes).digest('hex');

/** A body in pieces, as a request has it. */
export async function* piecesOf(bytes: Buffer | string, pieceBytes = 1_000): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(bytes);
  for (let from = 0; from < whole.length; from += pieceBytes) yield whole.subarray(from, from + pieceBytes);
}

export type UploadInput = {
  projectSlugs?: readonly string[];
  version?: string | null;
  dist?: string | null;
  /** How many parts the upload is cut into. */
  parts?: number;
};

export function cut(bytes: Buffer, parts: number): Buffer[] {
  const size = Math.ceil(bytes.length / parts);
  return Array.from({ length: parts }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

export const storePart = (ctx: Context, bytes: Buffer | string) =>
  storeChunk(ctx, { checksum: sha1(bytes), encoding: 'none', body: piecesOf(bytes) });

/** Asks for an archive to be put together, as clients do before and after they have sent its parts. */
export const askFor = (ctx: Context, bytes: Buffer, input: UploadInput = {}) =>
  assembleBundle(ctx, {
    checksum: sha1(bytes),
    chunks: cut(bytes, input.parts ?? 1).map(sha1),
    projectSlugs: input.projectSlugs ?? ['web'],
    version: input.version ?? null,
    dist: input.dist ?? null,
  });

/** The whole conversation of a client: asks, sends what is missing, asks again. */
export async function upload(ctx: Context, bytes: Buffer, input: UploadInput = {}) {
  const { missingChunks } = await askFor(ctx, bytes, input);
  for (const part of cut(bytes, input.parts ?? 1)) {
    if (missingChunks.includes(sha1(part))) await storePart(ctx, part);
  }
  return await askFor(ctx, bytes, input);
}

/** Names of all files below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
