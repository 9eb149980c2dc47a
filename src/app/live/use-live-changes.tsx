'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { cx } from '#ui/cx.ts';
import {
  afterBreak,
  afterFailures,
  afterRefusals,
  isLiveBusy,
  isLiveHeld,
  LIVE_LABELS,
  type LiveState,
} from './live-state.ts';

/** Changes come in bursts; pages look at most this often. */
const CHANGE_INTERVAL_MS = 2_000;
/** While an action is under way, look again this often whether it is done. */
const HELD_INTERVAL_MS = 200;

/**
 * Calls `onChange` when something changed in the organization's projects (null: in any that the user sees). Follows only while
 * the tab is visible; on coming back it reports one change, since some may have been missed. While the server has no
 * room for another live connection it reports a change now and then.
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
    let probe: AbortController | null = null;
    let refusals = 0;
    let failures = 0;
    const url = `/api/live/${encodeURIComponent(orgSlug)}`;

    function report() {
      if (changeTimer) return;
      changeTimer = setTimeout(notify, Math.max(0, changedAt + CHANGE_INTERVAL_MS - Date.now()));
    }

    function notify() {
      if (isLiveHeld()) {
        changeTimer = setTimeout(notify, HELD_INTERVAL_MS);
        return;
      }
      changeTimer = undefined;
      changedAt = Date.now();
      change();
    }

    function close() {
      clearTimeout(reconnectTimer);
      probe?.abort();
      source?.close();
    }

    function open() {
      close();
      source = new EventSource(url);
      source.addEventListener('open', () => {
        setState('live');
        refusals = 0;
        failures = 0;
        if (hasMissed) report();
        hasMissed = false;
      });
      source.addEventListener('change', (event) => {
        const changed = JSON.parse((event as MessageEvent<string>).data) as { projectIds: number[] };
        if (isWatched(changed.projectIds)) report();
      });
      source.addEventListener('error', () => {
        hasMissed = true;
        // The browser itself tries again after a broken connection, but not after an answer such as 429 or 503.
        if (source?.readyState !== EventSource.CLOSED) {
          setState(afterBreak);
          return;
        }
        void findWhy();
      });
    }

    /** The browser does not tell what the answer was, so it is asked for again. */
    async function findWhy() {
      const asked = new AbortController();
      probe = asked;
      const isBusy = await isLiveBusy(url, asked.signal);
      if (asked.signal.aborted) return;
      if (!isBusy) {
        refusals = 0;
        failures += 1;
        setState(afterBreak);
        reconnectTimer = setTimeout(open, afterFailures(failures).retryMs);
        return;
      }
      failures = 0;
      refusals += 1;
      const { isPolling, retryMs } = afterRefusals(refusals);
      setState(isPolling ? 'polling' : afterBreak);
      if (isPolling) report();
      reconnectTimer = setTimeout(open, retryMs);
    }

    function pause() {
      close();
      source = null;
      hasMissed = true;
      setState('paused');
    }

    function follow() {
      if (document.visibilityState === 'visible') {
        setState('connecting');
        refusals = 0;
        failures = 0;
        open();
      } else {
        pause();
      }
    }

    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
      clearTimeout(changeTimer);
    };
  }, [orgSlug]);

  return state;
}

/** Whether the page follows what happens. */
export function LiveCue({ state }: { state: LiveState }) {
  const { label, title } = LIVE_LABELS[state];
  return (
    <span
      title={title}
      className="inline-flex items-center gap-1.5 whitespace-nowrap text-text-muted text-xs"
    >
      <span
        aria-hidden
        className={cx('size-2 rounded-full', state === 'live' ? 'bg-success' : 'border border-text-faint')}
      />
      {state === 'connecting' ? <span className="sr-only">{label}</span> : label}
    </span>
  );
}
