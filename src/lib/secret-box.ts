import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what is kept in the database, so that a copy of the database alone tells none of it. */
export type SecretBox = {
  /** `place` says where it belongs: it opens nowhere else. */
  seal(text: string, place: string): string;
  /** null when it was sealed with another secret or for another place, or is damaged. */
  open(sealed: string, place: string): string | null;
};

/** Goes in front of what is sealed, for when the way of sealing changes. */
const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key of its own, derived from the secret of the instance for this purpose. */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(
    hkdfSync('sha256', secret, '', `errata secret box ${VERSION} ${purpose}`, KEY_BYTES),
  );
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(place),
      );
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}:${bytes.toString('base64url')}`;
    },

    open(sealed, place) {
      const [version, encoded = ''] = sealed.split(':');
      const bytes = Buffer.from(encoded, 'base64url');
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        return null;
      }
    },
  };
}
