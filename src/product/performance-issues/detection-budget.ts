/** Events of performance issues that one project may make in a clock hour; above it, detection pauses until the next. */
export const DETECTED_EVENTS_PER_HOUR_MAX = 1_000;
