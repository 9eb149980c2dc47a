import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Why no certificate can be made; null when one can. */
export function opensslMissing(): string | null {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'no openssl';
  }
}

/** A certificate for the host that vouches for itself, in a file with its key and alone, both in PEM. */
export function makeSelfSigned(folder: string, host: string): { keyFile: string; certificate: string } {
  const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${host}`],
      ...['-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  const text = readFileSync(certificate, 'utf8');
  writeFileSync(both, `${readFileSync(key, 'utf8')}${text}`);
  return { keyFile: both, certificate: text };
}
