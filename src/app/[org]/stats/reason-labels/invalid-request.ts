import { type LabelsByReason, UPDATE_SDK, withAdvice } from './reason-labels.ts';

const WHOLE_DSN = 'Copy the full DSN from the project settings again.';

/** Labels for why the edge refused a request as a whole. */
export const INVALID_REQUEST_LABELS: LabelsByReason = {
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
  form_disabled: {
    label: 'Feedback form off',
    meaning: 'Something was sent to the public feedback form of a project that has none.',
    advice: 'Turn on the form in the project’s feedback settings, or use its current address.',
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

/** Labels for why an item could not be used, whatever its kind. */
export const INVALID_ITEM_LABELS = withAdvice(UPDATE_SDK, {
  duplicate: {
    label: 'Duplicate',
    meaning:
      'An item with the same ID was already accepted: an event within the last 24 hours or a span in the same request. It is counted once.',
    advice:
      'Usually caused by an SDK that retried a request. If there are many, make sure that IDs are unique.',
  },
  quarantined: {
    label: 'Quarantined',
    meaning:
      'Processing the item failed three times, so it was moved to quarantine unchanged. No data is lost.',
    advice: 'On the server, run `npx errata quarantine list`, and `replay` after an upgrade.',
  },
  project_deleted: {
    label: 'Project deleted',
    meaning: 'The project was deleted before the event was stored.',
    advice: 'Remove the DSN from apps that still use it.',
  },
  too_large: {
    label: 'Too large',
    meaning: 'The item or request exceeds the size limit, which is 1 MiB for an event.',
    advice:
      'Send less data: fewer breadcrumbs, shorter variables, or smaller attachments. The SDK documentation lists the limits.',
  },
  invalid_json: {
    label: 'Invalid JSON',
    meaning: 'The item is not valid JSON or doesn’t match the schema of its type.',
    advice: 'Update the SDK. If a proxy modifies requests, configure it to pass them through unchanged.',
  },
  item_count_mismatch: {
    label: 'Item count mismatch',
    meaning: 'The item count in the container header doesn’t match the number of items.',
  },
  timestamp: {
    label: 'Invalid timestamp',
    meaning:
      'A timestamp is missing, malformed, too far from the current time, or an end is before its start.',
    advice: 'Check the clock of the sending machine.',
  },
  past_timestamp: {
    label: 'Too old',
    meaning: 'The session is more than five days old.',
    advice: 'Check the clock of the sending machine, or send sooner.',
  },
  future_timestamp: {
    label: 'In the future',
    meaning: 'The session is more than one minute in the future.',
    advice: 'Check the clocks of the sending machine and this server.',
  },
  missing_event_id: {
    label: 'Missing event ID',
    meaning: 'An attachment or user report doesn’t say which event it belongs to.',
    advice: 'Send it in the same envelope as the event, or with an `event_id`.',
  },
});
