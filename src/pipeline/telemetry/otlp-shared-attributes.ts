import type { Source } from '../normalize/field-reader.ts';
import { AttributeSet } from './attributes.ts';
import {
  SHARED_ATTRIBUTES_CHARS_MAX,
  SHARED_COPIES_CHARS_MIN,
  SHARED_COPIES_CHARS_PER_BYTE,
} from './limits.ts';
import type { OtlpGroup } from './otlp-groups.ts';
import { plainEntries } from './otlp-value.ts';

/** Attributes of a group's resource and scope, as its elements carry them. */
export type SharedAttributes = { entries: readonly (readonly [string, unknown])[]; chars: number };

/** What is kept of a resource when the copies of its attributes would become too many. */
const ESSENTIAL: ReadonlySet<string> = new Set(['service.name', 'sentry.platform']);

/** Names of OpenTelemetry's languages that Sentry knows by others. Source: relay-otel/src/lib.rs. */
const PLATFORMS: Readonly<Record<string, string>> = { dotnet: 'csharp', nodejs: 'node', webjs: 'javascript' };

/**
 * `resource.…` and `instrumentation.…` as in the reference, with the service's name and the platform under the names that
 * elements of Sentry's SDKs have. Source: relay-otel/src/lib.rs.
 */
export function readSharedAttributes({ resource, scope }: OtlpGroup): SharedAttributes {
  const shared = new AttributeSet(true, SHARED_ATTRIBUTES_CHARS_MAX);
  const resourceEntries = plainEntries(resource.attributes);
  const find = (name: string): unknown => resourceEntries.find(([key]) => key === name)?.[1];
  shared.set('service.name', find('service.name'));
  shared.set('sentry.platform', platformOf(find('telemetry.sdk.language')));
  for (const [key, value] of resourceEntries) shared.set(`resource.${key}`, value);
  for (const [key, value] of plainEntries(scope.attributes)) shared.set(`instrumentation.${key}`, value);
  setText(shared, 'instrumentation.name', scope);
  setText(shared, 'instrumentation.version', scope);
  const entries = Object.entries(shared.toRecord());
  const chars = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return { entries, chars };
}

/** Hands out copies of shared attributes as long as they stay in proportion to the payload that they came in. */
export class SharedCopies {
  #charsLeft: number;

  constructor(payloadBytes: number) {
    this.#charsLeft = Math.max(SHARED_COPIES_CHARS_MIN, payloadBytes * SHARED_COPIES_CHARS_PER_BYTE);
  }

  /** The element's own attributes win. */
  addTo(attributes: AttributeSet, shared: SharedAttributes): void {
    this.#charsLeft -= shared.chars;
    const isAffordable = this.#charsLeft >= 0;
    for (const [key, value] of shared.entries) {
      if (isAffordable || ESSENTIAL.has(key)) attributes.setMissing(key, value);
    }
  }
}

function platformOf(language: unknown): string | undefined {
  if (typeof language !== 'string' || language === '') return undefined;
  return Object.hasOwn(PLATFORMS, language) ? PLATFORMS[language] : language;
}

function setText(
  shared: AttributeSet,
  key: 'instrumentation.name' | 'instrumentation.version',
  scope: Source,
) {
  const value = scope[key.slice('instrumentation.'.length)];
  if (typeof value === 'string' && value !== '') shared.set(key, value);
}
