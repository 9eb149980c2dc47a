import { withAdvice } from './reason-labels.ts';

/**
 * Labels for what SDKs report as dropped.
 * Source: https://develop.sentry.dev/sdk/telemetry/client-reports/.
 */
export const CLIENT_DISCARD_LABELS = withAdvice('No action needed if this is intended.', {
  queue_overflow: {
    label: 'SDK queue overflow',
    meaning: 'More events happened at once than the SDK can queue.',
    advice: 'Look for an error that is thrown in a loop.',
  },
  cache_overflow: {
    label: 'SDK offline cache overflow',
    meaning: 'While the app was offline, more events happened than the SDK can cache.',
    advice: 'Increase the SDK’s cache size if you need older events. The newest are kept.',
  },
  buffer_overflow: {
    label: 'SDK buffer overflow',
    meaning: 'More logs or metrics were recorded than the SDK buffers between sends.',
    advice: 'Record fewer of them, or flush more often.',
  },
  ratelimit_backoff: {
    label: 'Rate limit backoff',
    meaning: 'The server asked the SDK to back off, and the SDK dropped data in the meantime.',
    advice: 'Check which data was rate limited at that time.',
  },
  network_error: {
    label: 'Network error',
    meaning: 'The SDK could not reach the server.',
    advice: 'Check the network and firewalls between the app and this server.',
  },
  send_error: {
    label: 'Send error',
    meaning: 'The server responded with an error, so the SDK dropped the data.',
    advice: 'Check the “Invalid” reasons. If there are none, a proxy in between sent the error response.',
  },
  internal_sdk_error: {
    label: 'Internal SDK error',
    meaning: 'The SDK failed while it prepared the data.',
    advice: 'Update the SDK and turn on its debug output.',
  },
  callback_error: {
    label: 'Callback error',
    meaning: 'A callback in your code, such as beforeSend, threw an error.',
    advice: 'Fix the callback. Until then, the data it is called for is lost.',
  },
  before_send: {
    label: 'Dropped by beforeSend',
    meaning: 'The beforeSend callback in your code dropped it.',
  },
  event_processor: {
    label: 'Dropped by an event processor',
    meaning:
      'An event processor dropped it: the SDK’s Dedupe (the same error twice in a row) or ignoreErrors, or one that your code added.',
  },
  ignored: {
    label: 'Ignored by the SDK',
    meaning: 'It matches an ignore list in the SDK, for example ignoreSpans.',
  },
  sample_rate: {
    label: 'Sampled out',
    meaning: 'Dropped because of the sample rate configured in the SDK.',
    advice: 'Increase the sample rate to receive more data.',
  },
  backpressure: {
    label: 'Backpressure',
    meaning: 'The app was under heavy load, so the SDK temporarily lowered its sample rate.',
    advice:
      'No action needed unless it persists. In that case, lower the sample rate or give the app more resources.',
  },
  insufficient_data: {
    label: 'Insufficient data',
    meaning: 'The SDK had too little data to be useful, for example a very short profile.',
    advice: 'No action needed.',
  },
  no_parent_span: {
    label: 'No parent span',
    meaning: 'The SDK is configured to create this span only inside a parent span, and there was none.',
    advice: 'To record it, start a parent span around the work.',
  },
  invalid: {
    label: 'Invalid in the SDK',
    meaning: 'The SDK rejected it as invalid, for example a replay that was too long.',
    advice: 'Update the SDK. If there are many, check its debug output.',
  },
});
