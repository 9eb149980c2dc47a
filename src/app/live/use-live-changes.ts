'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { isLiveHeld } from './hold-live.ts';
import { afterBreak, type LiveState } from './live-state.ts';

/** Changes come in bursts; pages look at most this often. */
const CHANGE_INTERVAL_MS = 2_000;
const RECONNECT_MS = 5_000;
/** While an action is under way, look again this often whether it is done. */
const HELD_INTERVAL_MS = 200;

/**
 * Tells when something changed in the organization's projects (null: in any that the user sees). Follows only while
 * the tab is visible; on coming back it reports one change, since some may have been missed.
 */
export function useLiveChanges({
  orgSlug,
  projectIds,
  onChange,
}: {
  orgSlug: string;
  projectIds: readonly number[] | null;
  onChange: () => void;
}): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const change = useEffectEvent(onChange);
  const isWatched = useEffectEvent(
    (changed: readonly number[]) => projectIds === null || changed.some((id) => projectIds.includes(id)),
  );

  useEffect(() => {
    let source: EventSource | null = null;
    let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
    let changeTimer: ReturnType<typeof setTimeout> | undefined;
    let changedAt = 0;
    let hasMissed = false;

    function report() {
      if (changeTimer) return;
      changeTimer = setTimeout(tell, Math.max(0, changedAt + CHANGE_INTERVAL_MS - Date.now()));
    }

    function tell() {
      if (isLiveHeld()) {
        changeTimer = setTimeout(tell, HELD_INTERVAL_MS);
        return;
      }
      changeTimer = undefined;
      changedAt = Date.now();
      change();
    }

    function open() {
      clearTimeout(reconnectTimer);
      source?.close();
      source = new EventSource(`/api/live/${encodeURIComponent(orgSlug)}`);
      source.addEventListener('open', () => {
        setState('live');
        if (hasMissed) report();
        hasMissed = false;
      });
      source.addEventListener('change', (event) => {
        const changed = JSON.parse((event as MessageEvent<string>).data) as { projectIds: number[] };
        if (isWatched(changed.projectIds)) report();
      });
      source.addEventListener('error', () => {
        hasMissed = true;
        setState(afterBreak);
        // The browser itself tries again after a broken connection, but not after an answer such as 503.
        if (source?.readyState === EventSource.CLOSED) {
          reconnectTimer = setTimeout(open, RECONNECT_MS);
        }
      });
    }

    function pause() {
      clearTimeout(reconnectTimer);
      source?.close();
      source = null;
      hasMissed = true;
      setState('paused');
    }

    function follow() {
      if (document.visibilityState === 'visible') {
        setState('connecting');
        open();
      } else {
        pause();
      }
    }

    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(reconnectTimer);
      clearTimeout(changeTimer);
      source?.close();
    };
  }, [orgSlug]);

  return state;
}
