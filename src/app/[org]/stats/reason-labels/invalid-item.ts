import type { WordsByReason } from './reason-labels.ts';

const UPDATE = 'Update the SDK. If you send the data yourself, compare it with the protocol.';

/** Words for why an item could not be used, whatever its kind. */
export const INVALID_ITEM_LABELS: WordsByReason = {
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
    advice: UPDATE,
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
};
