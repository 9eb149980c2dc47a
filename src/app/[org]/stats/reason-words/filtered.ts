import {
  LEGACY_BROWSERS_ID,
  LISTED_FILTERS,
  SWITCHED_FILTERS,
} from '#product/inbound-filters/filter-catalogue.ts';
import type { WordsByReason } from './reason-words.ts';

const ADVICE =
  'Nothing to do, if that is what the filter is for. Else turn it off in the inbound filters of the project.';

/** Words for what inbound filters dropped, and for what is none of ours to keep. */
export const FILTERED_WORDS: WordsByReason = {
  ...Object.fromEntries(
    [...SWITCHED_FILTERS, ...LISTED_FILTERS].map(({ id, name, help }) => [
      id,
      { label: name, meaning: help, advice: ADVICE },
    ]),
  ),
  [LEGACY_BROWSERS_ID]: {
    label: 'Legacy browsers',
    meaning: 'Events of browsers that the project counts as too old.',
    advice: ADVICE,
  },
  'discarded-hash': {
    label: 'Discarded issue',
    meaning: 'The issue was deleted together with its future: what arrives of it is dropped.',
    advice: 'Nothing to do. To take its events again, restore it among the discarded issues of the project.',
  },
  sampled: {
    label: 'Sampled by a relay',
    meaning: 'A relay before this server keeps a sample only, and told how much it left out.',
    advice: 'Nothing to do, if that is what the relay is for.',
  },
  unattended: {
    label: 'Unattended feedback',
    meaning: 'The message was the text that crash reporters send by themselves when nobody wrote anything.',
    advice: 'Nothing to do: the crash itself is stored.',
  },
  unsupported_item: {
    label: 'Unknown item type',
    meaning: 'The envelope held an item of a type that the protocol does not have. The rest of it was kept.',
    advice: 'Update Errata when the SDK is newer; correct the type when a program of your own sends it.',
  },
  unsupported_security_report: {
    label: 'Other browser report',
    meaning: 'A browser sent a report of a kind that says nothing about security or the network.',
    advice: 'Name only the kinds that you want in the `Reporting-Endpoints` and policies of your site.',
  },
};
