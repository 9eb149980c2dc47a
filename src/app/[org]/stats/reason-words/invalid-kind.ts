import type { WordsByReason } from './reason-words.ts';

const UPDATE = 'Update the SDK; when a program of your own sends it, compare it with the protocol.';

/** Words for what was wrong with items of one kind. */
export const INVALID_KIND_WORDS: WordsByReason = {
  invalid_transaction: {
    label: 'Bad transaction',
    meaning: 'The transaction had no trace, no span id, or no usable times.',
    advice: UPDATE,
  },
  invalid_span: {
    label: 'Bad span',
    meaning: 'The span had no trace id or no span id.',
    advice: UPDATE,
  },
  too_many_spans: {
    label: 'Too many spans',
    meaning: 'The transaction held more spans than one may; the first of them were kept.',
    advice: 'Trace less within one transaction, or split it.',
  },
  invalid_log: {
    label: 'Bad log',
    meaning: 'The log was no object, or had no text.',
    advice: UPDATE,
  },
  invalid_trace_metric: {
    label: 'Bad metric',
    meaning: 'The metric had no name, no known type or no number.',
    advice: UPDATE,
  },
  invalid_statsd: {
    label: 'Bad old metric',
    meaning: 'A line was not written as old metrics are: name, value, type.',
    advice: 'Update the SDK: newer ones send metrics in another way.',
  },
  invalid_otlp: {
    label: 'Not OTLP',
    meaning: 'The body was no OTLP request, neither in JSON nor in protobuf.',
    advice: 'Set the exporter to HTTP with protobuf or JSON, and its content type with it.',
  },
  invalid_session: {
    label: 'Bad session',
    meaning: 'The session had no start, or a status or a count that is none.',
    advice: UPDATE,
  },
  invalid_release: {
    label: 'Session without a release',
    meaning: 'The session named no release, or one that cannot be a name of a release.',
    advice: 'Set `release` when the SDK starts: without it there is no release health.',
  },
  invalid_check_in: {
    label: 'Bad check-in',
    meaning: 'The check-in had no status, no name of its monitor, or an id or a duration that is none.',
    advice: 'Send `status`, and leave out what you do not need.',
  },
  invalid_environment: {
    label: 'Bad environment',
    meaning: 'The environment of the check-in was no text, or a longer one than may be.',
    advice: 'Send a text of 64 characters at most, or leave it out.',
  },
  invalid_duration: {
    label: 'Bad duration',
    meaning: 'The duration of the check-in was no number of seconds.',
    advice: 'Send seconds, or leave it out.',
  },
  invalid_monitor_config: {
    label: 'Bad schedule',
    meaning: 'The settings of the monitor that came with the check-in could not be read.',
    advice: 'Send a crontab of five fields, or an interval of a whole number and a unit.',
  },
  missing_message: {
    label: 'Feedback without a message',
    meaning: 'The feedback or the user report held no text.',
    advice: 'Make the message of your form required.',
  },
  invalid_replay: {
    label: 'Bad replay',
    meaning: 'The replay had no id, no number of its segment, or a list of ids that is none.',
    advice: UPDATE,
  },
  missing_replay_id: {
    label: 'Recording without a replay',
    meaning: 'A recording did not say which replay it belongs to.',
    advice: UPDATE,
  },
  invalid_replay_recording: {
    label: 'Bad recording',
    meaning: 'The recording of a replay did not begin with the number of its segment.',
    advice: UPDATE,
  },
  invalid_replay_video: {
    label: 'Bad replay video',
    meaning: 'The video of a replay could not be taken apart.',
    advice: UPDATE,
  },
  profiling_invalid_json: {
    label: 'Bad profile',
    meaning: 'The profile was no JSON, or had no id or platform.',
    advice: UPDATE,
  },
  profiling_platform_not_supported: {
    label: 'Unknown platform of a profile',
    meaning: 'The profile was of a form that only some platforms send, and not of one of them.',
    advice: UPDATE,
  },
  profiling_no_transaction_associated: {
    label: 'Profile without a transaction',
    meaning: 'The profile did not say which transaction it belongs to.',
    advice: UPDATE,
  },
  profiling_not_enough_samples: {
    label: 'Too few samples',
    meaning: 'The profile held too few samples to tell anything.',
    advice: 'Nothing to do: what ran was over at once.',
  },
  profiling_duration_is_too_long: {
    label: 'Profile too long',
    meaning: 'The profile covered more time than one may.',
    advice: 'Stop the profiler earlier, or use continuous profiling.',
  },
  security_report: {
    label: 'Bad security report',
    meaning: 'The report of a browser lacked what its kind must say.',
    advice: 'Nothing to do when there are few: browsers and their extensions send such reports.',
  },
  security_report_type: {
    label: 'Not a security report',
    meaning: 'What was sent as the report of a browser is none that is known.',
    advice: 'Check what else sends to the address of the security reports.',
  },
  invalid_nel: {
    label: 'Bad network report',
    meaning: 'The report of a network error lacked what it must say.',
    advice: 'Nothing to do when there are few: browsers and their extensions send such reports.',
  },
  invalid_crash_data: {
    label: 'Unreadable crash data',
    meaning: 'What a crash reporter sent beside the dump could not be read. The dump itself was kept.',
    advice: 'Update the SDK of the program that crashed.',
  },
  invalid_unreal_report: {
    label: 'Not an Unreal report',
    meaning: 'The body was no report of the Unreal crash reporter.',
    advice: 'Point `DataRouterUrl` of the crash reporter at the address from the documentation.',
  },
};
