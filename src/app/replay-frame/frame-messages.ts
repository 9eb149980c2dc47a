/** One rrweb event, as the frame plays it: sanitized, with its time in milliseconds since the epoch. */
export type PlayableEvent = { type: number; timestamp: number; data: unknown };

/** One video of a mobile replay, on the clock of the replay. */
export type PlayableVideo = { startedAt: number; durationMs: number; bytes: ArrayBuffer };

/** From the page to the frame. `at` is in milliseconds since the first event. */
export type FrameCommand =
  /** Is answered with `ready`: either may be loaded first. */
  | { kind: 'hello' }
  | { kind: 'events'; events: readonly PlayableEvent[] }
  | { kind: 'video'; video: PlayableVideo; originMs: number }
  | { kind: 'play'; at: number }
  | { kind: 'pause'; at: number }
  | { kind: 'speed'; speed: number };

/** From the frame to the page. */
export type FrameReport =
  | { kind: 'ready' }
  /** The first picture stands. */
  | { kind: 'shown' }
  | { kind: 'time'; at: number }
  /** Nothing is left of what was sent. */
  | { kind: 'ended' }
  | { kind: 'failed'; reason: string };
