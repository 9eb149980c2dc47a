'use client';

import type { Activity } from '#domain/issues/issue.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import { statusActivityDetails } from './status-activity.tsx';

/** The release, condition or reason of an entry, times in the reader's zone. */
export function StatusActivityDetails({ entry }: { entry: Pick<Activity, 'type' | 'data'> }) {
  const details = statusActivityDetails(entry, useTimeZone());
  return <bdi title={details.trim()}>{shortenHashes(details)}</bdi>;
}
