import {
  LEGACY_BROWSERS_ID,
  LISTED_FILTERS,
  SWITCHED_FILTERS,
} from '#product/inbound-filters/filter-catalogue.ts';
import type { WordsByReason } from './reason-labels.ts';

const ADVICE =
  'No action needed if this is intended. Otherwise, turn off the filter in the project’s inbound filters.';

/** Words for what inbound filters dropped, and for what is none of ours to keep. */
export const FILTERED_LABELS: WordsByReason = {
  ...Object.fromEntries(
    [...SWITCHED_FILTERS, ...LISTED_FILTERS].map(({ id, name, help }) => [
      id,
      { label: name, meaning: help, advice: ADVICE },
    ]),
  ),
  [LEGACY_BROWSERS_ID]: {
    label: 'Legacy browsers',
    meaning: 'Events from browsers that the project filters as outdated.',
    advice: ADVICE,
  },
  'discarded-hash': {
    label: 'Discarded issue',
    meaning: 'The issue was deleted and discarded, so its future events are dropped.',
    advice: 'No action needed. To accept its events again, restore it in the project’s discarded issues.',
  },
  sampled: {
    label: 'Sampled by a relay',
    meaning: 'A relay in front of this server keeps only a sample and reported how much it dropped.',
    advice: 'No action needed if this is intended.',
  },
  replay_recording: {
    label: 'Replay recording',
    meaning: 'The privacy settings disable storing replay recordings.',
    advice: 'No action needed. To store them, change "Replay recordings" in the project’s privacy settings.',
  },
  text_attachment: {
    label: 'Text attachment',
    meaning: 'The privacy settings disable storing text attachments.',
    advice: 'No action needed. To store them, change "Text attachments" in the project’s privacy settings.',
  },
  unattended: {
    label: 'Unattended feedback',
    meaning: 'The message is the default text that crash reporters send when no one entered anything.',
    advice: 'No action needed. The crash itself is stored.',
  },
  unsupported_item: {
    label: 'Unknown item type',
    meaning: 'The envelope contained an item of an unknown type. The rest of the envelope was accepted.',
    advice: 'Update Errata if the SDK is newer. If you send the item yourself, fix its type.',
  },
  unsupported_security_report: {
    label: 'Unsupported browser report',
    meaning: 'A browser sent a report type that is not related to security or the network.',
    advice:
      'List only the report types you want in the `Reporting-Endpoints` header and policies of your site.',
  },
};
