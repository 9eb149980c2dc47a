import { z } from 'zod';
import { NOTIFICATION_KINDS, type NotificationKind } from '#domain/notification-kinds.ts';
import type { SecretBox } from '#lib/secret-box.ts';

/** What a link switches off: one kind of mail to one person, of one organization. */
export type Unsubscription = { userId: string; organizationId: number; kind: NotificationKind };

/** Links that switch mail off without signing in. They open for as long as the secret of the instance is the same. */
export type UnsubscribeLinks = {
  urlFor(what: Unsubscription): string;
  /** null for what is none of ours. */
  read(token: string): Unsubscription | null;
};

const PLACE = 'unsubscribe';
/** A token of ours is shorter. */
const TOKEN_CHARACTERS_MAX = 1_000;
const CONTENT = z.tuple([z.string(), z.int(), z.enum(NOTIFICATION_KINDS)]);

export function createUnsubscribeLinks(box: SecretBox, publicUrl: string): UnsubscribeLinks {
  return {
    urlFor({ userId, organizationId, kind }) {
      // The colon of the box would stand escaped in the address.
      const token = box.seal(JSON.stringify([userId, organizationId, kind]), PLACE).replace(':', '.');
      return `${publicUrl}/unsubscribe/${token}`;
    },

    read(token) {
      if (token.length > TOKEN_CHARACTERS_MAX) return null;
      const text = box.open(token.replace('.', ':'), PLACE);
      const content = text === null ? null : CONTENT.safeParse(JSON.parse(text));
      if (!content?.success) return null;
      const [userId, organizationId, kind] = content.data;
      return { userId, organizationId, kind };
    },
  };
}
