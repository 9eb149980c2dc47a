'use client';

import type { Activity } from '#storage/ports/issues.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import { lifeDetails } from './life-activity.tsx';

/** The release, condition or reason of an entry, times in the reader's zone. */
export function LifeDetails({ entry }: { entry: Pick<Activity, 'type' | 'data'> }) {
  return <bdi>{lifeDetails(entry, useTimeZone())}</bdi>;
}
