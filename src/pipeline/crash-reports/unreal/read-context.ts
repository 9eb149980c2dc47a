import { XMLParser } from 'fast-xml-parser';
import { isSource } from '../../normalize/field-reader.ts';

/** What Unreal writes of a crash, as text under its own names. */
export type UnrealContext = {
  runtime: Readonly<Record<string, string>>;
  platform: Readonly<Record<string, string>>;
  engine: Readonly<Record<string, string>>;
  game: Readonly<Record<string, string>>;
};

const FIELDS_MAX = 1_000;
const TEXT_CHARS_MAX = 65_536;

/**
 * Reads `CrashContext.runtime-xml`; null when it is no XML. Entities beyond the five of XML are left as they stand, and no
 * document type is read. Source: symbolic-unreal/src/context.rs.
 */
export function readUnrealContext(xml: Uint8Array): UnrealContext | null {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString('utf8');
  if (/<!DOCTYPE/i.test(text)) return null;
  try {
    const parsed: unknown = PARSER.parse(text.replace(/^\ufeff/, ''));
    const root = isSource(parsed) ? Object.entries(parsed).find(([name]) => name !== '?xml')?.[1] : null;
    if (!isSource(root)) return null;
    return {
      runtime: textsOf(root.RuntimeProperties),
      platform: textsOf(root.PlatformProperties),
      engine: textsOf(root.EngineData),
      game: textsOf(root.GameData),
    };
  } catch {
    return null;
  }
}

const PARSER = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: false,
  trimValues: true,
});

/** The elements that hold text; of equal names the first. */
function textsOf(parent: unknown): Record<string, string> {
  const texts: [string, string][] = [];
  if (!isSource(parent)) return {};
  for (const [name, value] of Object.entries(parent)) {
    if (texts.length >= FIELDS_MAX) break;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string' && first !== '' && name !== '__proto__') {
      texts.push([name, decodeEntities(first).slice(0, TEXT_CHARS_MAX).toWellFormed()]);
    }
  }
  return Object.fromEntries(texts);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities of XML and characters by their number; each is replaced once. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
