import { isOwnOrigin, originOfUri } from './csp-uri.ts';

/** What is said of a directive when something of the page's own was blocked, and before where it came from otherwise. */
const WORDS: Readonly<Record<string, readonly [own: string, foreign: string]>> = {
  'child-src': ["Blocked inline 'child'", "Blocked 'child' from"],
  'connect-src': ["Blocked inline 'connect'", "Blocked 'connect' from"],
  'font-src': ["Blocked inline 'font'", "Blocked 'font' from"],
  'form-action': ["Blocked inline 'form-action'", "Blocked 'form' action to"],
  'img-src': ["Blocked inline 'image'", "Blocked 'image' from"],
  'manifest-src': ["Blocked inline 'manifest'", "Blocked 'manifest' from"],
  'media-src': ["Blocked inline 'media'", "Blocked 'media' from"],
  'object-src': ["Blocked inline 'object'", "Blocked 'object' from"],
  'script-src': ["Blocked unsafe (eval() or inline) 'script'", "Blocked 'script' from"],
  'script-src-attr': ["Blocked unsafe 'script' element", 'Blocked inline script attribute from'],
  'script-src-elem': ['Blocked inline script attribute', "Blocked 'script' from"],
  'style-src': ["Blocked inline 'style'", "Blocked 'style' from"],
  'style-src-attr': ['Blocked style attribute', 'Blocked style attribute from'],
  'style-src-elem': ["Blocked 'style' or 'link' element", "Blocked 'style' from"],
};

/**
 * What a page's policy blocked, in one line: `Blocked 'script' from 'evil.example'`. The words are those of the reference,
 * since people know their issues by them. Source: `get_message` in relay-event-schema/src/protocol/security_report.rs.
 */
export function cspMessage(directive: string, blockedUri: string): string {
  if (directive === 'script-src' && blockedUri === 'inline') return "Blocked unsafe inline 'script'";
  if (directive === 'script-src' && blockedUri === 'eval') return "Blocked unsafe eval() 'script'";
  const [own, foreign] = (Object.hasOwn(WORDS, directive) && WORDS[directive]) || [
    `Blocked inline '${directive}'`,
    `Blocked '${directive}' from`,
  ];
  return isOwnOrigin(blockedUri) ? own : `${foreign} '${originOfUri(blockedUri)}'`;
}
