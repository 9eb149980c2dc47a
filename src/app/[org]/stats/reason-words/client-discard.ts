import type { WordsByReason } from './reason-words.ts';

/**
 * Words for what SDKs told that they dropped.
 * Source: https://develop.sentry.dev/sdk/telemetry/client-reports/.
 */
export const CLIENT_DISCARD_WORDS: WordsByReason = {
  queue_overflow: {
    label: 'Queue of the SDK full',
    meaning: 'More happened at once than the SDK holds back.',
    advice: 'Look for an error in a loop.',
  },
  cache_overflow: {
    label: 'Offline cache of the SDK full',
    meaning: 'While the program was offline, more happened than the SDK keeps for later.',
    advice: "Raise the size of the SDK's cache, or accept it: the newest is kept.",
  },
  buffer_overflow: {
    label: 'Buffer of the SDK full',
    meaning: 'More logs or metrics came than the SDK collects between two sendings.',
    advice: 'Write fewer of them, or have the program flush more often.',
  },
  ratelimit_backoff: {
    label: 'Waiting after a refusal',
    meaning: 'The SDK had been told to wait, and dropped what came meanwhile.',
    advice: 'See what was rate limited at that time.',
  },
  network_error: {
    label: 'Server not reached',
    meaning: 'The SDK could not send.',
    advice: 'Check the network and firewalls between the program and this server.',
  },
  send_error: {
    label: 'Refused on arrival',
    meaning: 'A server answered the SDK with an error, so it dropped what it had sent.',
    advice: 'Look below “Invalid” for the reason; when there is none, a proxy between them answered.',
  },
  internal_sdk_error: {
    label: 'Error in the SDK',
    meaning: 'The SDK itself failed while it prepared the data.',
    advice: 'Update the SDK, and turn its debug output on.',
  },
  callback_error: {
    label: 'Error in a hook',
    meaning: "One of the program's own hooks, such as beforeSend, threw an error.",
    advice: 'Correct the hook: until then what it is called for is lost.',
  },
  before_send: {
    label: 'Dropped by beforeSend',
    meaning: "The program's own hook decided not to send it.",
    advice: 'Nothing to do, if that is what the hook is for.',
  },
  event_processor: {
    label: 'Dropped by a filter of the SDK',
    meaning:
      "An event processor in the program decided not to send it: the SDK's own Dedupe (the same error twice in a row) or ignoreErrors, or one that the program added.",
    advice: 'Nothing to do, if that is what it is for.',
  },
  ignored: {
    label: 'Ignored by the SDK',
    meaning: 'A list of the SDK, for example ignoreSpans, names it.',
    advice: 'Nothing to do, if that is what the list is for.',
  },
  sample_rate: {
    label: 'Sampled out',
    meaning: 'The SDK sends only a part, as its sample rate says.',
    advice: 'Raise the sample rate to see more.',
  },
  backpressure: {
    label: 'Sampled down under load',
    meaning: 'The program was so busy that the SDK lowered its sample rate for a while.',
    advice: 'Nothing to do, unless it lasts: then lower the sample rate or give the program more room.',
  },
  insufficient_data: {
    label: 'Too little data',
    meaning: 'The SDK had too little to make something useful of, for example a profile of a moment.',
    advice: 'Nothing to do.',
  },
  no_parent_span: {
    label: 'Span outside of a trace',
    meaning: 'The SDK was told to start spans only inside of others, and there was none.',
    advice: 'Start a span around the work, if you want to see it.',
  },
  invalid: {
    label: 'Not valid in the SDK',
    meaning: 'The SDK checked it and found it wrong, for example a replay that lasted too long.',
    advice: 'Update the SDK, and look at its debug output when there are many.',
  },
};
