import type { WordsByReason } from './reason-words.ts';

const WHOLE_DSN = 'Copy the DSN again from the project and use it whole.';

/** Words for why the edge refused a request as a whole. */
export const INVALID_REQUEST_WORDS: WordsByReason = {
  invalid: {
    label: 'Bad request',
    meaning: 'The request could not be understood.',
    advice: "The answer's `detail` says why: look at the SDK's debug output.",
  },
  invalid_envelope: {
    label: 'Broken envelope',
    meaning: 'The request did not have the shape of an envelope, or ended too early.',
    advice: 'Update the SDK, and check that no proxy cuts or rewrites requests.',
  },
  invalid_body: {
    label: 'Unreadable body',
    meaning: 'The body could not be decompressed or read to its end.',
    advice: 'Check for proxies that change the encoding, and for connections that break.',
  },
  invalid_content_type: {
    label: 'Wrong content type',
    meaning: 'The endpoint does not take bodies of this content type.',
    advice: 'Set the content type that the documentation of SDKs names for the endpoint.',
  },
  invalid_multipart: {
    label: 'Broken form',
    meaning: 'The body was no form, or its content type named no boundary.',
    advice: 'Let the HTTP library make the form and its content type.',
  },
  no_data: {
    label: 'Empty',
    meaning: 'The request or the item held nothing.',
    advice: 'Update the SDK, and check that no proxy drops bodies.',
  },
  too_many_items: {
    label: 'Too many items',
    meaning: 'One request held more items of a kind than it may.',
    advice: 'Send them in several requests; the documentation of SDKs lists how many fit into one.',
  },
  internal_item: {
    label: 'Internal item',
    meaning: 'The envelope held an item that only servers hand to each other.',
    advice: 'Send the data in its own format, to its own endpoint.',
  },
  duplicate_item: {
    label: 'Two events at once',
    meaning: 'An envelope may hold one event, and this one held more.',
    advice: 'Send one envelope for each event.',
  },
  invalid_event_id: {
    label: 'Bad event id',
    meaning: 'The id of the event was not 32 hex digits.',
    advice: 'Let the SDK choose the id, or send 32 hex digits.',
  },
  project_mismatch: {
    label: 'Wrong project',
    meaning: 'The key of the request belongs to another project than the address.',
    advice: WHOLE_DSN,
  },
  organization_mismatch: {
    label: 'Wrong organization',
    meaning: 'The tunnel was told another organization than the one that owns the key.',
    advice: "Check the tunnel's `o` and `p`.",
  },
  disabled_key: {
    label: 'Disabled key',
    meaning: 'The client key is disabled, so everything sent with it is turned away.',
    advice: "Enable the key in the project's client keys, or give the program another DSN.",
  },
  invalid_dsn: {
    label: 'Bad DSN in the envelope',
    meaning: 'The envelope names a DSN that is none.',
    advice: WHOLE_DSN,
  },
  dsn_mismatch: {
    label: 'Two DSNs',
    meaning: 'The envelope names another DSN than the request was sent to.',
    advice: 'A tunnel or proxy forwards to the wrong project: check its target.',
  },
  missing_minidump: {
    label: 'No minidump',
    meaning: 'The form had no file in `upload_file_minidump`.',
    advice: 'Send the dump in that field, or as the whole body.',
  },
  invalid_minidump: {
    label: 'Not a minidump',
    meaning: 'What was sent as a minidump does not begin as one does.',
    advice: 'Send the dump itself: plain, or packed by gzip or zstd.',
  },
};
