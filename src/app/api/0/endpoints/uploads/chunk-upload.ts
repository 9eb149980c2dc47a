import { z } from 'zod';
import { isSentryCli } from '#app/api/0/is-sentry-cli.ts';
import { get, type Operation, post } from '#app/api/0/operation.ts';
import { readForm } from '#app/api/0/read-body.ts';
import { invalid } from '#lib/errors.ts';
import type { FormFile } from '#lib/multipart-form.ts';
import { ownValue } from '#lib/own-value.ts';
import { describeChunkUpload, storeChunk } from '#product/artifacts/store-chunk.ts';
import type { Context } from '#product/context.ts';

/** Boundaries and headers of the parts of a form. */
const PART_HEADER_BYTES_MAX = 1_024;

/** Which part of the form holds chunks of which encoding. */
const ENCODINGS: Readonly<Record<string, 'none' | 'gzip'>> = { file: 'none', file_gzip: 'gzip' };

export const chunkUploadOperations: readonly Operation[] = [
  /**
   * How a client has to upload. sentry-cli takes addresses below the one it was given, which is the safer answer where
   * builds reach the instance by another name than browsers.
   * Source: src/sentry/api/endpoints/chunk.py of Sentry; src/api/data_types/chunking of sentry-cli.
   */
  get('organizations/[org]/chunk-upload', {
    summary: 'Retrieves the chunk upload options',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    answer: z.object({
      url: z.string(),
      chunkSize: z.number(),
      chunksPerRequest: z.number(),
      maxRequestSize: z.number(),
      maxFileSize: z.number(),
      maxWait: z.number(),
      concurrency: z.number(),
      hashAlgorithm: z.string(),
      compression: z.array(z.string()),
      accept: z.array(z.string()),
    }),
    async handle({ ctx, request }) {
      const options = await describeChunkUpload(ctx);
      const url = `organizations/${ctx.organization.slug}/chunk-upload/`;
      return isSentryCli(request) ? { ...options, url } : options;
    },
  }),

  /** The name of each file is the checksum of its bytes, before they were compressed. */
  post('organizations/[org]/chunk-upload', {
    summary: 'Uploads chunks',
    scopes: ['project:releases', 'org:ci', 'project:write'],
    body: 'form',
    answer: z.object({}),
    async handle({ ctx, request }) {
      const { chunksPerRequest, maxRequestSize } = await describeChunkUpload(ctx);
      // One after the other: what has not had its turn stays in the connection.
      let turn: Promise<void> = Promise.resolve();
      await readForm(
        request,
        { bytesMax: maxRequestSize + chunksPerRequest * PART_HEADER_BYTES_MAX, filesMax: chunksPerRequest },
        {
          onFile(file) {
            turn = turn.then(() => storePart(ctx, file));
            return turn;
          },
          onField() {},
        },
      );
      return {};
    },
  }),
];

async function storePart(ctx: Context, { field, filename, stream }: FormFile): Promise<void> {
  const encoding = ownValue(ENCODINGS, field);
  if (!encoding) throw invalid(`Name chunk parts "file" or "file_gzip", not "${field.slice(0, 40)}"`, field);
  await storeChunk(ctx, { checksum: filename, encoding, body: stream });
}
