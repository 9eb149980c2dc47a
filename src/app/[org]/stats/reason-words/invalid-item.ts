import type { WordsByReason } from './reason-words.ts';

const UPDATE = 'Update the SDK; when a program of your own sends it, compare it with the protocol.';

/** Words for why an item could not be used, whatever its kind. */
export const INVALID_ITEM_WORDS: WordsByReason = {
  duplicate: {
    label: 'Duplicate',
    meaning:
      'One with the same id had come before: an event within the last 24 hours, a span in the same request. It was counted once.',
    advice: 'Usually an SDK that repeated a request. When there are many: check that ids are not shared.',
  },
  quarantined: {
    label: 'Set aside',
    meaning: 'Reading the item failed three times, so it was put aside whole. Nothing is lost.',
    advice: 'On the server: `npx errata quarantine list`, and `replay` after an upgrade.',
  },
  project_deleted: {
    label: 'Project deleted',
    meaning: 'The project was deleted while the event waited to be stored.',
    advice: 'Remove the DSN from programs that still send with it.',
  },
  too_large: {
    label: 'Too large',
    meaning: 'The item or the request was larger than its limit: 1 MiB for an event.',
    advice:
      'Send less at once: fewer breadcrumbs, shorter variables, smaller attachments. The documentation of SDKs lists the limits.',
  },
  invalid_json: {
    label: 'Not valid JSON',
    meaning: 'The item was not JSON, or not of the shape that its kind has.',
    advice: 'Update the SDK. If a proxy changes requests on their way, let it pass them as they are.',
  },
  item_count_mismatch: {
    label: 'Wrong count',
    meaning: 'The header of a container told another number of elements than there were in it.',
    advice: UPDATE,
  },
  timestamp: {
    label: 'Impossible time',
    meaning: 'A time was missing, no time at all, far from now, or an end before its start.',
    advice: 'Check the clock of the machine that sends.',
  },
  past_timestamp: {
    label: 'Too old',
    meaning: 'The session was more than five days old. It would be counted on a wrong day.',
    advice: 'Check the clock of the machine that sends, or send sooner.',
  },
  future_timestamp: {
    label: 'In the future',
    meaning: 'The session was more than a minute ahead of the time here.',
    advice: 'Check the clocks of the machine that sends and of this server.',
  },
  missing_event_id: {
    label: 'Without its event',
    meaning: 'An attachment or a user report did not say which event it belongs to.',
    advice: 'Send it in the envelope of the event, or with an `event_id`.',
  },
};
