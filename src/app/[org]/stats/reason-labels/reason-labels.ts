import {
  LEGACY_BROWSERS_ID,
  LISTED_FILTERS,
  SWITCHED_FILTERS,
} from '#product/inbound-filters/filter-catalogue.ts';

/** What a reason means and what can be done about it, in sentences; `code` stands between backticks. */
export type ReasonLabels = { label: string; meaning: string; advice: string };

/** Labels for the reasons of one outcome. */
export type LabelsByReason = Readonly<Record<string, ReasonLabels>>;

/** Labels in which `advice` is the advice of those without their own. */
export const withAdvice = (
  advice: string,
  labels: Readonly<Record<string, Omit<ReasonLabels, 'advice'> & { advice?: string }>>,
): LabelsByReason =>
  Object.fromEntries(Object.entries(labels).map(([reason, label]) => [reason, { advice, ...label }]));

export const UPDATE_SDK = 'Update the SDK. If you send the data yourself, compare it with the protocol.';

const ADVICE =
  'No action needed if this is intended. Otherwise, turn off the filter in the project’s inbound filters.';

/** Labels for what inbound filters dropped, and for what is none of ours to keep. */
export const FILTERED_LABELS: LabelsByReason = {
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

/** Labels for limits that were reached. */
export const RATE_LIMITED_LABELS: LabelsByReason = {
  form_limit: {
    label: 'Feedback form limit',
    meaning: 'One address, or all of them together, filled in the public feedback form too often.',
    advice:
      'No action needed. If it is spam, turn the form off and on in the project’s feedback settings: it gets a new address.',
  },
  key_quota: {
    label: 'Key rate limit',
    meaning: 'The client key reached its rate limit.',
    advice: 'Increase the limit in the project’s client keys, or find out what sends so much data.',
  },
  project_quota: {
    label: 'Project rate limit',
    meaning: 'The project reached its limit for this data category.',
    advice: 'Increase the limit in the project’s rate limits, or find out what sends so much data.',
  },
  blob_budget: {
    label: 'Attachment storage full',
    meaning:
      'The disk budget, or its share for attachments, recordings, profiles, and dumps, was nearly exhausted. Events were still accepted.',
    advice: 'The instance owner can see on the storage page which project uses the most space.',
  },
  org_quota: {
    label: 'Organization quota',
    meaning: 'The organization reached its quota for this data category.',
    advice: 'A manager can increase it in the organization’s quotas.',
  },
};

export const ACCEPTED_LABELS: LabelsByReason = {
  '': { label: 'Stored', meaning: 'The data was processed and stored.', advice: 'No action needed.' },
};

/** Labels for why something was dropped that had been accepted. */
export const EXPIRED_LABELS: LabelsByReason = {
  age: {
    label: 'Retention period expired',
    meaning: 'Accepted, then deleted when its retention period expired.',
    advice: 'The instance owner can change the retention period on the storage page.',
  },
  blob_budget: {
    label: 'Dropped: attachment budget',
    meaning:
      'Accepted, then deleted because attachments and other files used up their share of the disk budget.',
    advice: 'Increase `ERRATA_DISK_BYTES_MAX`, shorten the retention period, or send fewer attachments.',
  },
  project_budget: {
    label: 'Dropped: project budget',
    meaning: 'Accepted, then deleted because the project reached its disk budget.',
    advice: 'The instance owner can increase the project budget on the storage page.',
  },
  disk_budget: {
    label: 'Dropped: disk budget',
    meaning: 'Accepted, then deleted because the data directory reached the disk budget.',
    advice: 'Increase `ERRATA_DISK_BYTES_MAX`, shorten the retention period, or send less data.',
  },
  erased: {
    label: 'Erased: data request',
    meaning: 'Accepted, then erased because a data request asked for the data of a person to be removed.',
    advice: 'No action needed. The request and its certificate are in the settings under Data requests.',
  },
};
