import { UPDATE_SDK, withAdvice } from './reason-labels.ts';

/** Labels for what was wrong with items of one kind. */
export const INVALID_KIND_LABELS = withAdvice(UPDATE_SDK, {
  invalid_transaction: {
    label: 'Invalid transaction',
    meaning: 'The transaction has no trace ID, span ID, or valid timestamps.',
  },
  invalid_span: { label: 'Invalid span', meaning: 'The span has no trace ID or span ID.' },
  too_many_spans: {
    label: 'Too many spans',
    meaning: 'The transaction has more spans than allowed. Only the first ones were stored.',
    advice: 'Create fewer spans in one transaction, or split it.',
  },
  invalid_log: { label: 'Invalid log', meaning: 'The log is not an object or has no message.' },
  invalid_trace_metric: {
    label: 'Invalid metric',
    meaning: 'The metric has no name, a known type, or a numeric value.',
  },
  invalid_statsd: {
    label: 'Invalid legacy metric',
    meaning: 'A line is not in the legacy metrics format: name, value, type.',
    advice: 'Update the SDK. Newer versions send metrics in a different format.',
  },
  invalid_otlp: {
    label: 'Not OTLP',
    meaning: 'The body is not a valid OTLP request in JSON or protobuf.',
    advice: 'Configure the exporter for HTTP with protobuf or JSON and the matching content type.',
  },
  invalid_session: {
    label: 'Invalid session',
    meaning: 'The session has no start time, or an invalid status or count.',
  },
  invalid_release: {
    label: 'Session without a release',
    meaning: 'The session has no release or an invalid release name.',
    advice: 'Set `release` when you initialize the SDK. Release health requires it.',
  },
  invalid_check_in: {
    label: 'Bad check-in',
    meaning: 'The check-in has no status or monitor slug, or an invalid ID or duration.',
    advice: 'Send `status` and omit the fields you don’t need.',
  },
  invalid_environment: {
    label: 'Invalid environment',
    meaning: 'The environment of the check-in is not a string or is too long.',
    advice: 'Send a string of up to 64 characters, or omit it.',
  },
  invalid_duration: {
    label: 'Invalid duration',
    meaning: 'The duration of the check-in is not a number of seconds.',
    advice: 'Send a number of seconds, or omit it.',
  },
  invalid_monitor_config: {
    label: 'Invalid schedule',
    meaning: 'The monitor configuration in the check-in is invalid.',
    advice: 'Send a crontab schedule with five fields, or an interval with a whole number and a unit.',
  },
  missing_message: {
    label: 'Feedback without a message',
    meaning: 'The feedback or user report has no message.',
    advice: 'Make the message field in your form required.',
  },
  invalid_replay: {
    label: 'Invalid replay',
    meaning: 'The replay has no ID or segment number, or an invalid list of IDs.',
  },
  missing_replay_id: {
    label: 'Recording without a replay',
    meaning: 'The recording doesn’t say which replay it belongs to.',
  },
  invalid_replay_recording: {
    label: 'Invalid recording',
    meaning:
      'The replay recording doesn’t start with a segment number, or it couldn’t be decompressed within the limits for scrubbing.',
  },
  text_too_large: {
    label: 'Text attachment too large to scrub',
    meaning: 'The text attachment is larger than 32 MiB, which is too large to scrub, so it was not stored.',
    advice: 'Attach a shorter log, or compress the file first. Compressed files are stored unchanged.',
  },
  invalid_replay_video: { label: 'Invalid replay video', meaning: 'The replay video could not be parsed.' },
  profiling_invalid_json: {
    label: 'Invalid profile',
    meaning: 'The profile is not valid JSON or has no ID or platform.',
  },
  profiling_platform_not_supported: {
    label: 'Unsupported profile platform',
    meaning: 'The profile uses a format that is not supported for its platform.',
  },
  profiling_no_transaction_associated: {
    label: 'Profile without a transaction',
    meaning: 'The profile doesn’t say which transaction it belongs to.',
  },
  profiling_not_enough_samples: {
    label: 'Too few samples',
    meaning: 'The profile has too few samples to be useful.',
    advice: 'No action needed. The profiled code finished too quickly.',
  },
  profiling_duration_is_too_long: {
    label: 'Profile too long',
    meaning: 'The profile exceeds the maximum duration.',
    advice: 'Stop the profiler sooner, or use continuous profiling.',
  },
  security_report: {
    label: 'Invalid security report',
    meaning: 'The browser report is missing required fields.',
    advice: 'No action needed if there are only a few. Browsers and extensions sometimes send such reports.',
  },
  security_report_type: {
    label: 'Not a security report',
    meaning: 'The request is not a known browser report.',
    advice: 'Check what else sends data to the security report endpoint.',
  },
  invalid_nel: {
    label: 'Invalid network report',
    meaning: 'The network error report is missing required fields.',
    advice: 'No action needed if there are only a few. Browsers and extensions sometimes send such reports.',
  },
  invalid_crash_data: {
    label: 'Unreadable crash data',
    meaning: 'The data sent with the dump could not be parsed. The dump itself was stored.',
    advice: 'Update the SDK of the app that crashed.',
  },
  invalid_unreal_report: {
    label: 'Not an Unreal report',
    meaning: 'The body is not an Unreal crash report.',
    advice: 'Set `DataRouterUrl` of the crash reporter to the URL from the documentation.',
  },
});
