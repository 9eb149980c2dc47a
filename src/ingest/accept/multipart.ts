import { type FormFile, type FormHandlers, type FormRules, MultipartForm } from '#lib/multipart-form.ts';
import { LIMITS } from '../limits.ts';
import { BodyError } from '../read-body.ts';
import { Refusal } from './ingest-request.ts';

export type MultipartFile = FormFile;

/** The field that holds a minidump, whatever its part says of itself. */
export const MINIDUMP_FIELD = 'upload_file_minidump';

export const isMultipart = (contentType: string): boolean => /^multipart\/form-data\b/i.test(contentType);

/**
 * A part with a file name is a file, as is a dump without one; all others are fields.
 * Source: relay-server/src/utils/multipart.rs.
 */
const RULES: FormRules = {
  filesMax: LIMITS.attachmentsMax,
  filesAre: 'attachments',
  fieldsMax: LIMITS.formFieldsMax,
  fieldBytesMax: LIMITS.formFieldBytesMax,
  isFile: (field, filename) => filename !== undefined || field === MINIDUMP_FIELD,
  noBoundary: () =>
    new Refusal(
      400,
      'The content type is not multipart/form-data with a boundary: set it as your HTTP library makes it',
      'invalid_multipart',
    ),
  unreadable: (reason) => new BodyError(400, `The multipart body cannot be read: ${reason}`),
  tooMuch: (what) => new Refusal(413, `${what}: send less at once`, 'too_large'),
};

/** A form of a crash report or of attachments. Throws Refusal when the content type names no boundary. */
export class MultipartReader extends MultipartForm {
  constructor(contentType: string, handlers: FormHandlers) {
    super(contentType, RULES, handlers);
  }
}
