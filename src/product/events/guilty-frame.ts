import { crashingFrame, crashingStack, mainException } from '#pipeline/main-exception.ts';
import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';

/** The frame that the culprit of an event is named after; null without frames. */
export const findGuiltyFrame = (event: NormalizedEvent): Frame | null => crashingFrame(event);

/** The stack that the guilty frame is of; null without frames. */
export const findGuiltyStack = (event: NormalizedEvent): Stacktrace | null => crashingStack(event);

/** The exception that the title of an event is made of; null without exceptions. */
export const findMainException = (event: NormalizedEvent): ExceptionValue | null => mainException(event);
