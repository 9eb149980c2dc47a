/** `lost`: the page was connected, and is not any more. */
export type LiveState = 'connecting' | 'live' | 'paused' | 'lost';

/** A page that was never connected goes on connecting; one that was says that it lost the connection. */
export const afterBreak = (before: LiveState): LiveState => (before === 'live' ? 'lost' : before);

/** What the cue says of each, and what that means. */
export const LIVE_WORDS: Readonly<Record<LiveState, { label: string; title: string }>> = {
  live: { label: 'live', title: 'New events appear by themselves' },
  connecting: { label: 'connecting', title: 'Connecting for live updates' },
  lost: {
    label: 'reconnecting',
    title: 'The server does not answer: live updates go on as soon as it does',
  },
  paused: { label: 'paused', title: 'Live updates pause while the tab is hidden' },
};
