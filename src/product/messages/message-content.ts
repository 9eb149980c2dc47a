import type { MessagePart } from '#delivery/ports/destination-sender.ts';
import type { Incident } from '#product/incidents/store/incidents.ts';
import type { MailDraft } from './compose-mail.ts';

/** A part that opens or closes an incident of a pager: it is only sent while that is how things are. */
export type FormattedPart = MessagePart & { incident?: { of: Incident; isOpen: boolean } };

/** What every try of a delivery sends: kept with it, once it is decided. */
export type MessageContent = {
  /** One line for the log; all that is left of it in the end. */
  summary: string;
} & (
  | { kind: 'parts'; parts: readonly FormattedPart[] }
  | {
      kind: 'mail';
      mail: MailDraft;
      /** The sender of a feedback; absent: to whom the message is for. */
      to?: string;
    }
);
