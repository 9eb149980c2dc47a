'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import type { OnDemand } from './on-demand.ts';

/**
 * The part once it is needed and has arrived, null before. It then stays, also when it is needed no longer. A part that
 * cannot be fetched is reported, and `onFailure` lets the caller close what waits for it.
 */
export function useOnDemand<T>(part: OnDemand<T>, isNeeded: boolean, onFailure?: () => void): T | null {
  const [arrived, setArrived] = useState<T | null>(null);
  const fail = useEffectEvent((error: unknown) => {
    reportError(error);
    onFailure?.();
  });

  useEffect(() => {
    if (!isNeeded || arrived !== null) return;
    let isGone = false;
    part.load().then(
      (module) => {
        if (!isGone) setArrived(() => module);
      },
      (error: unknown) => {
        if (!isGone) fail(error);
      },
    );
    return () => {
      isGone = true;
    };
  }, [part, isNeeded, arrived]);

  return arrived ?? (isNeeded ? part.get() : null);
}
