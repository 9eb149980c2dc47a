import { readForm } from '#app/api/0/read-body.ts';
import { invalid } from '#lib/errors.ts';
import type { ReleaseFile } from '#product/artifacts/release-files.ts';
import { saveReleaseFile } from '#product/artifacts/save-release-file.ts';
import { RELEASE_FILE_BYTES_MAX } from '#product/artifacts/upload-limits.ts';
import { UPLOAD_RIGHTS } from '#product/artifacts/upload-projects.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import type { NamedRelease } from '#product/releases/get-release.ts';

/** Boundaries, headers and fields besides the file. */
const FORM_BYTES_MAX = 256 * 1024;

type Fields = { name: string | null; dist: string | null; headers: string[] };

/**
 * The file in the part `file`, its name and the rest in the fields `name`, `dist` and `header`, which may come after
 * it. Source: https://docs.sentry.io/api/releases/upload-a-new-project-release-file/
 */
export async function uploadReleaseFile(
  ctx: Context,
  { version, projectSlugs }: NamedRelease,
  request: Request,
): Promise<ReleaseFile> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const fields: Fields = { name: null, dist: null, headers: [] };
  const read = Promise.withResolvers<void>();
  // Nobody waits for it when the form breaks before its file.
  read.promise.catch(() => {});
  const upload: { file: Promise<ReleaseFile> | null } = { file: null };
  try {
    await readForm(
      request,
      { bytesMax: RELEASE_FILE_BYTES_MAX + FORM_BYTES_MAX, filesMax: 1 },
      {
        async onFile({ filename, contentType, stream }) {
          const describe = async () => {
            await read.promise;
            return describeFile(fields, filename, contentType);
          };
          upload.file = saveReleaseFile(ctx, { version, projectSlugs, body: stream, describe });
          await upload.file;
        },
        onField: (name, value) => takeField(fields, name, value),
        onEnd: read.resolve,
      },
    );
  } catch (error) {
    read.reject(error);
    throw error;
  }
  if (upload.file === null) throw invalid('The form has no file: send it in the "file" part', 'file');
  return upload.file;
}

function takeField(fields: Fields, name: string, value: string): void {
  if (name === 'name') fields.name = value;
  else if (name === 'dist') fields.dist = value;
  else if (name === 'header') fields.headers.push(value);
}

function describeFile(fields: Fields, filename: string, contentType: string) {
  const name = fields.name ?? filename;
  if (name === '' || name === 'file') {
    throw invalid('Use the file name from the stack trace, such as ~/assets/app.js', 'name');
  }
  const given = fields.headers.map(readHeader);
  return {
    name,
    dist: fields.dist === '' ? null : fields.dist,
    headers: Object.fromEntries([['content-type', contentType], ...given]),
  };
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1)
    throw invalid(`"${text.slice(0, 80)}" is not a valid header: use the format Name:value`, 'header');
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
}
