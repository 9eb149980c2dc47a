import type { KeyAdmission } from '#domain/projects.ts';
import { addressGroup } from '#lib/client-address.ts';
import { createThrottle } from '#lib/throttle.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import { type Collected, type CollectedItem, makeEventId } from './collected.ts';
import {
  type IngestAnswer,
  type IngestDeps,
  type IngestRequest,
  Refusal,
  type Refused,
} from './ingest-request.ts';
import { AttachmentParts, type MultipartFile, MultipartReader } from './multipart.ts';
import { type Reading, spoolRequest } from './spool-request.ts';

/** Forms that one address sends at once; one more a minute. */
const FORMS_OF_ADDRESS_MAX = 5;
/** Forms that one project gets at once, from everybody; 100 more an hour. */
const FORMS_OF_PROJECT_MAX = 100;
/** Characters of the message, and of name and address, each. Longer ones are refused, so that nothing is cut unseen. */
const FORM_MESSAGE_CHARS_MAX = 4_096;
const FORM_NAME_CHARS_MAX = 256;
const FORM_SCREENSHOT_BYTES_MAX = 5 * 1024 * 1024;

const SCREENSHOT_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

const byAddress = createThrottle({ triesMax: FORMS_OF_ADDRESS_MAX, refillMs: MINUTE_MS });
const byProject = createThrottle({ triesMax: FORMS_OF_PROJECT_MAX, refillMs: 36_000 });

/**
 * Accepts `POST /api/<project>/feedback-form/`: what somebody wrote in the public form of a project. It becomes the items
 * that an SDK would send: a feedback and its screenshot.
 */
export async function acceptFeedbackForm(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const key = await requireOpenKey(deps, request, 'feedback');
  if (isRefused(key)) return key;
  if (!key.hasFeedbackForm) {
    deps.outcomes.add(key, 'feedback', 'invalid', 'form_disabled');
    return { status: 403, detail: 'The feedback form of this project is switched off' };
  }
  const full = takeTurn(key, request.clientIp);
  if (full) {
    deps.outcomes.add(key, 'feedback', 'rate_limited', 'form_limit');
    return full;
  }
  return spoolRequest(deps, request, key, 'feedback', (reading) => readForm(request, key, reading));
}

function takeTurn({ projectId }: KeyAdmission, clientIp: string | null): Refused | null {
  const wait = byAddress.take(addressGroup(clientIp)) ?? byProject.take(String(projectId));
  if (wait === null) return null;
  return {
    status: 429,
    detail: `Too much feedback was sent: try again in ${wait} s`,
    retryAfterSeconds: wait,
  };
}

async function readForm(
  { message }: IngestRequest,
  { projectId }: KeyAdmission,
  reading: Reading,
): Promise<Collected> {
  const parts = new AttachmentParts(reading, projectId);
  const fields = new Map<string, string>();
  const screenshots: CollectedItem[] = [];
  let files = 0;
  const multipart = new MultipartReader(message.headers['content-type'] ?? '', {
    async onFile(file) {
      if (file.filename === '') {
        // The field of a form where nobody chose a file.
        file.stream.resume();
        return;
      }
      files++;
      if (files > 1) throw new Refusal(413, 'Only one screenshot can be attached', 'too_many_items');
      screenshots.push(await readScreenshot(parts, file));
    },
    onField(name, value) {
      fields.set(name, value);
    },
  });
  await multipart.read(reading);
  const eventId = makeEventId();
  const feedback = {
    event_id: eventId,
    timestamp: reading.receivedAtMs / 1_000,
    platform: 'other',
    contexts: { feedback: { ...readFields(fields), source: 'form' } },
  };
  return {
    eventId,
    sentAtMs: null,
    items: [{ type: 'feedback', body: Buffer.from(JSON.stringify(feedback)) }, ...screenshots],
    outcomes: [],
  };
}

async function readScreenshot(
  parts: AttachmentParts,
  { filename, contentType, stream }: MultipartFile,
): Promise<CollectedItem> {
  if (!SCREENSHOT_TYPES.has(contentType.toLowerCase())) {
    throw new Refusal(415, 'The screenshot must be a PNG, JPEG, WebP or GIF image', 'invalid_content_type');
  }
  const { body, write } = parts.open();
  let bytes = 0;
  for await (const part of stream) {
    bytes += (part as Buffer).length;
    if (bytes > FORM_SCREENSHOT_BYTES_MAX) {
      throw new Refusal(
        413,
        `The screenshot is larger than ${FORM_SCREENSHOT_BYTES_MAX / 1024 / 1024} MiB: choose a smaller one`,
        'too_large',
      );
    }
    write(part as Buffer);
  }
  return { type: 'attachment', body, facts: { filename, contentType } };
}

function readFields(fields: ReadonlyMap<string, string>): Record<string, string> {
  const message = (fields.get('message') ?? '').trim();
  if (message === '') throw new Refusal(400, 'The message is empty: enter some text', 'missing_message');
  refuseLong('message', message, FORM_MESSAGE_CHARS_MAX);
  const named = (field: 'name' | 'email', as: string): Record<string, string> => {
    const value = (fields.get(field) ?? '').trim();
    refuseLong(field === 'name' ? 'name' : 'email address', value, FORM_NAME_CHARS_MAX);
    return value === '' ? {} : { [as]: value };
  };
  return { message, ...named('name', 'name'), ...named('email', 'contact_email') };
}

function refuseLong(what: string, value: string, charsMax: number): void {
  if (value.length <= charsMax) return;
  throw new Refusal(
    413,
    `The ${what} has ${value.length} characters: shorten it to at most ${charsMax}`,
    'too_large',
  );
}
