import type { CredentialJson } from '#storage/ports/authenticator.ts';

/** Whether this browser can make and use passkeys, and take their options as JSON. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Lets the person make a passkey; null when they changed their mind. Throws with a sentence to show. */
export async function createPasskey(options: CredentialJson): Promise<CredentialJson | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return asJson(() => navigator.credentials.create({ publicKey }));
}

/**
 * Lets the person choose a passkey; null when they changed their mind. `quietly`: the browser only offers it in the
 * field of the email address, until `signal` ends it.
 */
export async function choosePasskey(
  options: CredentialJson,
  { quietly = false, signal }: { quietly?: boolean; signal?: AbortSignal } = {},
): Promise<CredentialJson | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const mediation = quietly ? 'conditional' : undefined;
  return asJson(() => navigator.credentials.get({ publicKey, mediation, signal }));
}

async function asJson(ask: () => Promise<Credential | null>): Promise<CredentialJson | null> {
  try {
    const credential = await ask();
    if (!(credential instanceof PublicKeyCredential)) return null;
    return { ...credential.toJSON() };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') return null;
    if (name === 'InvalidStateError') throw new Error('This device already has a passkey for your account.');
    if (name === 'SecurityError') {
      throw new Error('Passkeys only work at the public URL of this server. Open that URL and try again.');
    }
    throw new Error('This device could not use a passkey. Try another one.');
  }
}
