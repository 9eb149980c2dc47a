import type { WordsByReason } from './reason-labels.ts';

const WHOLE_DSN = 'Copy the full DSN from the project settings again.';

/** Words for why the edge refused a request as a whole. */
export const INVALID_REQUEST_LABELS: WordsByReason = {
  invalid: {
    label: 'Bad request',
    meaning: 'The request is malformed.',
    advice: 'The `detail` field of the response says why. Check the SDK’s debug output.',
  },
  invalid_envelope: {
    label: 'Invalid envelope',
    meaning: 'The request is not a valid envelope or was cut off.',
    advice: 'Update the SDK and check that no proxy truncates or rewrites requests.',
  },
  invalid_body: {
    label: 'Unreadable body',
    meaning: 'The body could not be decompressed or was cut off.',
    advice: 'Check for proxies that change the encoding and for dropped connections.',
  },
  invalid_content_type: {
    label: 'Wrong content type',
    meaning: 'The endpoint doesn’t accept this content type.',
    advice: 'Set the content type that the SDK documentation specifies for the endpoint.',
  },
  invalid_multipart: {
    label: 'Invalid form data',
    meaning: 'The body is not valid form data, or its content type has no boundary.',
    advice: 'Let your HTTP library set the form and its content type.',
  },
  no_data: {
    label: 'Empty',
    meaning: 'The request or item is empty.',
    advice: 'Update the SDK and check that no proxy drops request bodies.',
  },
  too_many_items: {
    label: 'Too many items',
    meaning: 'The request has more items of one type than allowed.',
    advice: 'Split them into several requests. The SDK documentation lists the limits.',
  },
  internal_item: {
    label: 'Internal item',
    meaning: 'The envelope contains an item type that is reserved for communication between servers.',
    advice: 'Send the data in its own format, to its own endpoint.',
  },
  duplicate_item: {
    label: 'Multiple events',
    meaning: 'The envelope contains more than one event.',
    advice: 'Send one envelope per event.',
  },
  invalid_event_id: {
    label: 'Invalid event ID',
    meaning: 'The event ID is not 32 hexadecimal digits.',
    advice: 'Let the SDK generate the ID, or send 32 hexadecimal digits.',
  },
  project_mismatch: {
    label: 'Wrong project',
    meaning: 'The key belongs to a different project than the URL.',
    advice: WHOLE_DSN,
  },
  organization_mismatch: {
    label: 'Wrong organization',
    meaning: 'The organization passed to the tunnel doesn’t own the key.',
    advice: 'Check the `o` and `p` parameters of the tunnel.',
  },
  errors_only: {
    label: 'Errors only',
    meaning: 'The built-in project accepts only errors from Errata itself.',
    advice: 'Create your own project for other data.',
  },
  compression_ratio: {
    label: 'Compression ratio too high',
    meaning: 'The body decompresses to more than 100 times its size, which usually means padding.',
    advice: 'Send it uncompressed or remove the padding.',
  },
  disabled_key: {
    label: 'Disabled key',
    meaning: 'The client key is disabled, so all data sent with it is rejected.',
    advice: 'Enable the key in the project’s client keys, or use another DSN.',
  },
  invalid_dsn: {
    label: 'Invalid DSN in the envelope',
    meaning: 'The DSN in the envelope is invalid.',
    advice: WHOLE_DSN,
  },
  dsn_mismatch: {
    label: 'DSN mismatch',
    meaning: 'The DSN in the envelope doesn’t match the DSN of the request.',
    advice: 'A tunnel or proxy may forward to the wrong project. Check its target.',
  },
  missing_minidump: {
    label: 'No minidump',
    meaning: 'The form has no file in `upload_file_minidump`.',
    advice: 'Send the dump in that field or as the request body.',
  },
  invalid_minidump: {
    label: 'Not a minidump',
    meaning: 'The file doesn’t start with a minidump header.',
    advice: 'Send the dump uncompressed or compressed with gzip or zstd.',
  },
};
