import type { LinkFrame } from './stack/frame-view.ts';
import type { StackOptions } from './stack/stack-options.ts';

/** What the sections of an event's page link with. */
export type EventPlace = {
  organizationSlug: string;
  projectSlug: string;
  /** Of the event; null when it names none. */
  release: string | null;
  issueHref: string;
  /** The address of the event itself, whatever the page is called. */
  eventHref: string;
  /** The page that is shown. */
  pageHref: string;
  /** Its parameters that links to itself and to other events keep. */
  entries: Readonly<Record<string, string | readonly string[] | null>>;
  stack: StackOptions;
  linkFrame: LinkFrame;
  /** Which thread is shown, by its place as sent; null for the crashed one. */
  thread: number | null;
};
