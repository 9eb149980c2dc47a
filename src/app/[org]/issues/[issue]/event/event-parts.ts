import type { ReactNode } from 'react';
import type { QueryEntries } from '#app/url-state.ts';
import type { LogsAround } from '#product/logs/list-logs-around.ts';
import type { NormalizedEvent, Stacktrace } from '#protocol/event.ts';
import type { DigestedAttachment, DigestedFeedback } from '#protocol/telemetry.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { LinkFrame } from './stack/frame-view.ts';
import type { StackOptions } from './stack/stack-options.ts';

/** An event with what belongs to it and is kept elsewhere. */
export type EventParts = {
  event: StoredEvent;
  attachments: readonly DigestedAttachment[];
  feedback: readonly DigestedFeedback[];
  /** Of its trace, around it; null when it belongs to none, or they are not available. */
  logs: LogsAround | null;
};

/** A part of the page of an event. */
export type SectionEntry = {
  id: string;
  title: string;
  count?: number;
  /** Beside the title. */
  actions?: ReactNode;
  content: ReactNode;
};

/** Every stack of an event. */
export const stacksOf = (event: NormalizedEvent): readonly Stacktrace[] =>
  [
    ...(event.exception?.values ?? []).map(({ stacktrace }) => stacktrace),
    event.stacktrace,
    ...(event.threads?.values ?? []).map(({ stacktrace }) => stacktrace),
  ].flatMap((stack) => stack ?? []);

/** What the sections of an event's page link with. */
export type EventPlace = {
  organizationSlug: string;
  projectSlug: string;
  /** Of the issue. */
  shortId: string;
  /** Of the event; null when it names none. */
  release: string | null;
  issueHref: string;
  /** Whether a feedback can be answered from its page: there is a mail server, and the reader may. */
  canReply: boolean;
  /** The address of the event itself, whatever the page is called. */
  eventHref: string;
  /** The page that is shown. */
  pageHref: string;
  /** Its parameters that links to itself and to other events keep. */
  entries: QueryEntries;
  stack: StackOptions;
  linkFrame: LinkFrame;
  /** Which thread is shown, by its place as sent; null for the crashed one. */
  thread: number | null;
};
