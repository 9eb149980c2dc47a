import type { Frame } from '#protocol/event.ts';

/** `data.orig_in_app` of a frame whose flag the SDK left out. */
const NOT_SENT = -1;

/** What the SDK said of the frame, also when rules have changed the flag since: they leave it in `data.orig_in_app`. */
export function sentInApp({ in_app: inApp, data }: Frame): boolean | null {
  const original = data?.orig_in_app;
  if (typeof original === 'number') return original === NOT_SENT ? null : original !== 0;
  return inApp ?? null;
}

/** The frame with the flag that the rules decided, and with what the SDK had sent where that differs. */
export function withInApp<F extends Frame>(frame: F, inApp: boolean | null): F {
  const sent = sentInApp(frame);
  if (inApp === sent) return frame.in_app === sent ? frame : { ...frame, in_app: sent };
  const original = sent === null ? NOT_SENT : Number(sent);
  return { ...frame, in_app: inApp, data: { ...frame.data, orig_in_app: original } };
}
